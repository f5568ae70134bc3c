import type { World } from '../../ports/world.ts'
import type { Offer } from './offer.ts'

/** Offers cached at most: a caller can ask for any amount. */
const MOST = 1_000
const known = new WeakMap<World, Map<string, Offer>>()

/** The offer of this name, built once: a world's offers do not change while it runs. */
export function knownOffer(world: World, name: string, make: () => Offer): Offer {
  const offers = known.get(world) ?? new Map<string, Offer>()
  const offer = offers.get(name)
  if (offer !== undefined) return offer
  const made = make()
  if (offers.size >= MOST) offers.clear()
  known.set(world, offers.set(name, made))
  return made
}
