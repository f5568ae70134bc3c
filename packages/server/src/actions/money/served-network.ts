import type { PaymentRequirements } from '@guildhall/protocol'
import { paymentRequirements } from '@guildhall/protocol'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { Rules, ServedNetwork } from '../../ports/rules.ts'

export const servedNetwork = (rules: Pick<Rules, 'networks'>, network: string): ServedNetwork | undefined =>
  rules.networks.find((served) => served.network === network)

/** The terms under which an amount is paid to an address on a served network. */
export const termsOn = (served: ServedNetwork, payTo: Hex, amount: bigint): PaymentRequirements =>
  paymentRequirements({ network: served.network, asset: served.usdc, domain: served.domain, payTo, amount })
