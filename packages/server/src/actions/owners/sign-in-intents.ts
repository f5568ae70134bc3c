import type { Owner } from '../../domain/owner/owner.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { confirmIntake } from '../testing/confirm-request.ts'

/**
 * Carries out what a link confirms besides the sign-in, in its transaction; returns the path to go to, or null for the default.
 */
export type IntentHandler = (world: World, tx: Transaction, owner: Owner, about: string) => Promise<string | null>

/** Keyed by the word before the colon of a link's intent. */
const intents: Readonly<Record<string, IntentHandler>> = { testing: confirmIntake }

/** An unknown intent is ignored: the person is signed in anyway. */
export async function carryOutIntent(
  world: World,
  tx: Transaction,
  owner: Owner,
  intent: string | null,
): Promise<string | null> {
  const [kind = '', ...about] = (intent ?? '').split(':')
  const handler = Object.hasOwn(intents, kind) ? intents[kind] : undefined
  return handler === undefined ? null : handler(world, tx, owner, about.join(':'))
}
