import type { PaymentRequirements } from '@guildhall/protocol'
import { paymentRequirements } from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { Rules, ServedNetwork } from '../../ports/rules.ts'
import type { World } from '../../ports/world.ts'

export const servedNetwork = (rules: Pick<Rules, 'networks'>, network: string): ServedNetwork | undefined =>
  rules.networks.find((served) => served.network === network)

/** The network on which an existing bounty is paid, even if the rules have changed since it was posted. */
export function networkToPayOn({ rules }: World, network: string): ServedNetwork {
  if (!rules.paymentsEnabled) refuse('payments_unavailable')
  const networks = rules.networks.map((served) => served.network)
  return servedNetwork(rules, network) ?? refuse('bounty_unsupported_network', { networks })
}

/** The terms under which an amount is paid to an address on a served network. */
export const termsOn = (served: ServedNetwork, payTo: Hex, amount: bigint): PaymentRequirements =>
  paymentRequirements({ network: served.network, asset: served.usdc, domain: served.domain, payTo, amount })
