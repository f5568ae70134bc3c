import {
  acceptedToken,
  judgePayment,
  type PaymentPayload,
  type PaymentRequirements,
  parsePaymentHeader,
} from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import type { Authorization } from '../../domain/transfer/transfer.ts'
import type { SignedAuthorization } from '../../ports/facilitator.ts'
import type { World } from '../../ports/world.ts'
import { authorizationReused } from './authorization-reused.ts'
import { type Offer, paymentAskedFor, termsFields } from './offer.ts'

/** A payment that passed every check but is not recorded yet. */
export type TakenPayment = SignedAuthorization & { readonly fromBlock: bigint }

/**
 * The 402 handshake up to recording the payment. An authorization on record is detected before any other check, even whether
 * there is still something to pay: a client that repeats a paid call must never be told to sign again, nor that the task has
 * moved on, which it did because of that payment.
 */
export async function takePayment(
  world: World,
  header: string | null,
  makeOffer: () => Offer | Promise<Offer>,
): Promise<TakenPayment> {
  const shown = header === null ? null : parsePaymentHeader(header)
  if (shown !== null && 'payload' in shown) await refuseIfShownBefore(world, shown.payload)

  const offer = await makeOffer()
  if (shown === null) throw paymentAskedFor(world, offer)
  if ('problem' in shown) {
    refuse('payment_malformed', { reason: shown.problem, payment_requirements: [...offer.accepts] })
  }
  const { payload } = shown
  const requirements = matching(offer, payload)
  const payment = { authorization: authorizationOf(payload, requirements), signature: payload.signature }

  const fault = judgePayment({ payment: payload, requirements, now: world.clock.now() })
  if (fault !== null) {
    // It may be on record under the terms that it wrongly names.
    await refuseIfRecorded(world, payment.authorization)
    refuseInvalid(world, offer, fault)
  }
  await checkPayer(world, offer, payment)
  const fromBlock = await checkSpendable(world, offer, payment, requirements)
  return { ...payment, fromBlock }
}

/** Only the payer's own signature counts, and where the offer names the payer, only that one's. */
async function checkPayer(
  world: World,
  offer: Offer,
  { authorization, signature }: SignedAuthorization,
): Promise<void> {
  const { from } = authorization
  if (offer.payer !== undefined && offer.payer !== from) {
    refuseInvalid(world, offer, { reason: 'payer_mismatch', expected: offer.payer, got: from })
  }
  const signed = await world.chain.payerSigned(authorization, signature)
  if (typeof signed === 'object') refuse('facilitator_unavailable', { cause: 'the chain cannot be reached' })
  if (signed === 'no') {
    const got = 'a signature of another key or over other terms'
    refuseInvalid(world, offer, { reason: 'bad_signature', expected: `signed by ${from}`, got })
  }
}

/** Asks chain and facilitator whether the payment can settle; returns the block from which to look for it. */
async function checkSpendable(
  world: World,
  offer: Offer,
  payment: SignedAuthorization,
  requirements: PaymentRequirements,
): Promise<bigint> {
  const { authorization } = payment
  const [head, used, verdict] = await Promise.all([
    world.chain.head(requirements.network),
    world.chain.isUsed(authorization),
    world.facilitator.verify(payment, requirements),
  ])
  // A concurrent call with the same authorization may have used it for us.
  if (used === true || verdict.kind === 'invalid') await refuseIfRecorded(world, authorization)
  if (used === true) {
    const got = `nonce ${authorization.nonce}, which is`
    refuseInvalid(world, offer, { reason: 'already_used', expected: 'an authorization that is not used', got })
  }
  if (used !== false || head.kind === 'unreachable')
    refuse('facilitator_unavailable', { cause: 'the chain cannot be reached' })
  if (verdict.kind === 'unavailable') refuse('facilitator_unavailable', { cause: verdict.cause })
  if (verdict.kind === 'invalid') {
    const { reason } = verdict
    refuseInvalid(world, offer, { reason, expected: 'a payment that the facilitator accepts', got: reason })
  }
  return head.number
}

type Fault = { readonly reason: string; readonly expected: string; readonly got: string }

/** Refuses a payment, and says under which terms another one would be taken. */
function refuseInvalid(world: World, offer: Offer, fault: Fault): never {
  const fields = { ...termsFields(world, offer), ...fault, payment_requirements: [...offer.accepts] }
  if (fault.reason === 'insufficient_funds') refuse('insufficient_funds', fields)
  refuse('payment_invalid', fields)
}

/** Looks it up by the network and asset that the payer names, before either is compared with the offer. */
async function refuseIfShownBefore(world: World, payload: PaymentPayload): Promise<void> {
  const token = acceptedToken(payload)
  if (token !== null) await refuseIfRecorded(world, authorizationOf(payload, token))
}

/** An authorization pays for one thing only; showing it again tells what it paid for. */
export async function refuseIfRecorded(world: World, authorization: Authorization): Promise<void> {
  const recorded = await world.store.transferByAuthorization(authorization)
  if (recorded) throw authorizationReused(recorded)
}

/** The offer on the network that the payer chose; for any other network, the first offer. */
function matching(offer: Offer, payload: PaymentPayload): PaymentRequirements {
  const [first] = offer.accepts
  if (!first) throw new Error('an offer has at least one way to pay')
  return offer.accepts.find(({ network }) => network === payload.accepted.network) ?? first
}

const authorizationOf = (
  { authorization }: PaymentPayload,
  { network, asset }: Pick<PaymentRequirements, 'network' | 'asset'>,
): Authorization => ({
  network,
  asset: asset.toLowerCase() as `0x${string}`,
  ...authorization,
})
