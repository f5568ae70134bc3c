import {
  encodeHeaderJson,
  type PaymentRequirements,
  type TransferAuthorization,
  tokenDomain,
  typedTransfer,
} from '@guildhall/protocol'
import { randomHex } from '../random-hex.ts'
import type { Hex, Wallet } from './wallet.ts'

/** Subtracted from the time the service allows, for clocks that differ as much as a signature may. */
const MARGIN_SECONDS = 60

export type Offer = {
  readonly requirements: PaymentRequirements
  /** The same entry of `accepts` as received: it is sent back unchanged. */
  readonly accepted: unknown
}

/** Signs one transfer for the requirements, and returns the PAYMENT-SIGNATURE header. */
export async function signPayment(
  { requirements, accepted }: Offer,
  wallet: Wallet,
  nowSeconds: number,
): Promise<string> {
  const authorization: TransferAuthorization = {
    from: wallet.address,
    to: requirements.payTo as Hex,
    value: BigInt(requirements.amount),
    validAfter: 0n,
    validBefore: BigInt(nowSeconds + Math.max(requirements.maxTimeoutSeconds - MARGIN_SECONDS, MARGIN_SECONDS)),
    nonce: `0x${randomHex(32)}`,
  }
  const domain = tokenDomain({ ...requirements, ...requirements.extra })
  const signature = await wallet.signTypedData(typedTransfer(authorization, domain))
  return encodeHeaderJson({ x402Version: 2, accepted, payload: { signature, authorization: inTexts(authorization) } })
}

const inTexts = (authorization: TransferAuthorization) => ({
  ...authorization,
  value: String(authorization.value),
  validAfter: String(authorization.validAfter),
  validBefore: String(authorization.validBefore),
})
