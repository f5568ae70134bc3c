import { type EndpointName, PaymentRequired } from '@guildhall/protocol'
import type { UntypedCallRequest } from '../call-types.ts'
import { GuildhallError } from '../guildhall-error.ts'
import { localErrors, type PaymentNotMadeReason } from '../local-errors.ts'
import type { ServerClock } from '../server-clock.ts'
import type { Settings } from '../settings.ts'
import { type Offer, signPayment } from './sign-payment.ts'
import { usdcContracts } from './usdc-contracts.ts'
import { bountyOf, whyNotPay } from './why-not-pay.ts'

/** Signs what a 402 asks for, if the caller has given a wallet and a limit; without a wallet the 402 itself is thrown. */
export async function authorizePayment(
  refusal: GuildhallError,
  name: EndpointName,
  { body, pay = {} }: UntypedCallRequest,
  settings: Settings,
  clock: ServerClock,
): Promise<string> {
  const offer = firstOffer(refusal)
  const wallet = pay.wallet ?? settings.wallet
  if (wallet === undefined || offer === null) throw refusal
  const reason = whyNotPay(offer.requirements, {
    maxUsdc: pay.maxUsdc ?? settings.maxUsdc,
    contracts: { ...usdcContracts, ...settings.usdcContracts },
    bounty: bountyOf(name, body),
  })
  if (reason !== null) throw notMade(reason, offer, refusal)
  let signed: string
  try {
    signed = await signPayment(offer, wallet, clock.nowSeconds())
  } catch (cause) {
    throw notMade('wallet_refused', offer, refusal, cause)
  }
  await pay.onSigned?.(signed)
  return signed
}

function firstOffer(refusal: GuildhallError): Offer | null {
  const fields = refusal.fields as { readonly accepts?: readonly unknown[] }
  const required = PaymentRequired.safeParse(fields)
  const requirements = required.data?.accepts[0]
  return requirements === undefined ? null : { requirements, accepted: fields.accepts?.[0] }
}

function notMade(reason: PaymentNotMadeReason, offer: Offer, refusal: GuildhallError, cause?: unknown): GuildhallError {
  return new GuildhallError({
    code: 'payment_not_made',
    message: `${localErrors.payment_not_made} (${reason})`,
    fields: { reason, requirements: offer.requirements },
    status: refusal.status,
    requestId: refusal.requestId,
    cause: cause ?? refusal,
  })
}
