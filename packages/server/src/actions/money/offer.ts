import { type PaymentRequired, type PaymentRequirements, paymentRequired } from '@guildhall/protocol'
import { type Refusal, refusal } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'

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

export const requiredBy = (world: World, { path, ...offer }: Offer): PaymentRequired =>
  paymentRequired({ url: `${world.rules.baseUrl}${path}`, ...offer })

/** The fields by which every 402 tells the terms. */
export function termsFields(world: World, offer: Offer) {
  const { x402Version, resource, accepts, extensions } = requiredBy(world, offer)
  return { x402Version, resource, accepts, ...(extensions === undefined ? {} : { extensions }) }
}

const refusals = new WeakMap<Offer, Refusal>()

/** The refusal with the terms, one object per offer, so that it is serialized only once. */
export function paymentAskedFor(world: World, offer: Offer): Refusal {
  const known = refusals.get(offer) ?? refusal('payment_required', termsFields(world, offer))
  refusals.set(offer, known)
  return known
}
