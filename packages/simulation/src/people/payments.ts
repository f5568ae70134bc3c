import { paymentRequirements } from '@guildhall/protocol'
import type { Authorization, Hex, ServedNetwork } from '@guildhall/server/parts'
import { signatureOf } from '../chain/signatures.ts'
import type { Day } from '../day.ts'

/** A signed payment, and the header that carries it. */
export type Payment = { readonly authorization: Authorization; readonly header: string }

/** Signs a transfer to an address, valid for some minutes up to an hour. */
export function signPayment(day: Day, served: ServedNetwork, from: Hex, to: Hex, amount: bigint): Payment {
  const { chance, scheduler } = day
  const second = Math.floor(scheduler.now() / 1000)
  const authorization: Authorization = {
    network: served.network,
    asset: served.usdc,
    from,
    to,
    value: amount,
    validAfter: 0n,
    validBefore: BigInt(second + (chance.happens(0.4) ? 125 + chance.below(60) : 600 + chance.below(3000))),
    nonce: `0x${Buffer.from(chance.bytes(32)).toString('hex')}`,
  }
  return { authorization, header: headerOf(served, authorization) }
}

function headerOf(served: ServedNetwork, authorization: Authorization): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const { network, usdc: asset, domain } = served
  const signed = { from, to, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}`, nonce }
  return JSON.stringify({
    x402Version: 2,
    accepted: paymentRequirements({ network, asset, domain, payTo: to, amount: value }),
    payload: { signature: signatureOf(from, authorization), authorization: signed },
  })
}
