import {
  acceptedToken,
  judgePayment,
  type PaymentPayload,
  type PaymentRequired,
  type PaymentRequirements,
  parsePaymentHeader,
  paymentRequired,
} from '@guildhall/protocol'
import { type Refusal, refusal, refuse } from '../../domain/refusal.ts'
import type { Authorization } from '../../domain/transfer/transfer.ts'
import type { SignedAuthorization, VerifyOutcome } from '../../ports/facilitator.ts'
import type { World } from '../../ports/world.ts'
import { authorizationReused } from './authorization-reused.ts'

/** What is to be paid, and for what. */
export type Offer = {
  readonly path: string
  readonly description: string
  readonly accepts: readonly PaymentRequirements[]
  /** Extensions that an x402 client may add to its payment, or read about the call. */
  readonly extensions?: PaymentRequired['extensions']
  /** The only wallet that may pay; any wallet when it is left out. */
  readonly payer?: string
}

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
  const required = requiredBy(world, offer)
  if ('problem' in shown) {
    refuse('payment_malformed', { reason: shown.problem, payment_requirements: offer.accepts })
  }
  const { payload } = shown
  const requirements = matching(offer, payload)
  const payment = { authorization: authorizationOf(payload, requirements), signature: payload.signature }

  const fault = judgePayment({ payment: payload, requirements, now: world.clock.now() })
  if (fault !== null) {
    // It may be on record under the terms that it wrongly names.
    await refuseIfRecorded(world, payment.authorization)
    refuse('payment_invalid', { ...fieldsOf(required), ...fault, payment_requirements: offer.accepts })
  }
  const invalid = (reason: string, expected: string, got: string): never =>
    refuse('payment_invalid', { ...fieldsOf(required), reason, expected, got, payment_requirements: offer.accepts })

  if (offer.payer !== undefined && offer.payer !== payment.authorization.from) {
    invalid('payer_mismatch', offer.payer, payment.authorization.from)
  }
  const signed = await world.chain.payerSigned(payment.authorization, payment.signature)
  if (typeof signed === 'object') refuse('facilitator_unavailable', { cause: 'the chain cannot be reached' })
  if (signed === 'no') {
    invalid(
      'bad_signature',
      `signed by ${payment.authorization.from}`,
      'a signature of another key or over other terms',
    )
  }
  const [head, used, verdict] = await Promise.all([
    world.chain.head(requirements.network),
    world.chain.isUsed(payment.authorization),
    world.facilitator.verify(payment, requirements),
  ])
  // A concurrent call with the same authorization may have used it for us.
  if (used === true || verdict.kind === 'invalid') await refuseIfRecorded(world, payment.authorization)
  if (used === true)
    invalid('already_used', 'an authorization that is not used', `nonce ${payment.authorization.nonce}, which is`)
  if (used !== false || head.kind === 'unreachable')
    refuse('facilitator_unavailable', { cause: 'the chain cannot be reached' })
  if (verdict.kind === 'unavailable') refuse('facilitator_unavailable', { cause: verdict.cause })
  if (verdict.kind === 'invalid') refuseVerdict(verdict, required, offer)
  return { ...payment, fromBlock: head.number }
}

const terms = new WeakMap<Offer, Refusal>()

/** The refusal with the terms, one object per offer, so that it is serialized only once. */
export function paymentAskedFor(world: World, offer: Offer): Refusal {
  const known = terms.get(offer) ?? refusal('payment_required', fieldsOf(requiredBy(world, offer)))
  terms.set(offer, known)
  return known
}

function refuseVerdict(verdict: VerifyOutcome & { kind: 'invalid' }, required: PaymentRequired, offer: Offer): never {
  const judged = { reason: verdict.reason, expected: 'a payment that the facilitator accepts', got: verdict.reason }
  const fields = { ...fieldsOf(required), ...judged, payment_requirements: offer.accepts }
  if (verdict.reason === 'insufficient_funds') refuse('insufficient_funds', fields)
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

export const requiredBy = (world: World, { path, ...offer }: Offer): PaymentRequired =>
  paymentRequired({ url: `${world.rules.baseUrl}${path}`, ...offer })

const fieldsOf = ({ x402Version, resource, accepts, extensions }: PaymentRequired) => ({
  x402Version,
  resource,
  accepts,
  ...(extensions === undefined ? {} : { extensions }),
})

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
