import { limits } from '@guildhall/protocol'
import { type HeldKey, judgeKey, type KeyVerdict, type RepeatKey } from '../domain/idempotency/held-key.ts'
import { refuse } from '../domain/refusal.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'
import { servedNetwork } from './money/served-network.ts'

export type Attempt =
  | { readonly kind: 'held'; readonly held: HeldKey }
  | { readonly kind: 'answered'; readonly answer: Uint8Array }
  | { readonly kind: Exclude<KeyVerdict, 'answered' | 'free'> }

const ROUNDS = 5

/** Takes a key for one attempt at its request, or returns the outcome of an earlier attempt. */
export async function holdKey({ store, clock, random, rules }: World, key: RepeatKey): Promise<Attempt> {
  const { leaseMs, keptMs } = limits.idempotencyKey
  for (let round = 0; round < ROUNDS; round++) {
    const now = clock.now()
    const holder = random.uuid()
    // The lease also covers the time a request may wait for its settlement.
    const leaseUntil = now + leaseMs + rules.settleInRequestMs
    const times = { now, leaseUntil, expiresAt: now + keptMs }
    if (await store.transaction((tx) => tx.holdKey(key, holder, times)))
      return { kind: 'held', held: { ...key, holder } }
    const record = await store.repeatKey(key.id)
    // The key was released between the two queries: try again.
    if (record === null) continue
    const verdict = judgeKey(record, key, now)
    if (verdict === 'free') continue
    if (record.answer !== null && verdict === 'answered') return { kind: verdict, answer: record.answer }
    if (verdict !== 'answered') return { kind: verdict }
  }
  return { kind: 'running' }
}

/**
 * Marks the key in the transaction of the change, so that no later attempt repeats it, even if the answer of this one is lost.
 */
export async function useKey(tx: Transaction, held: HeldKey | null | undefined): Promise<void> {
  if (held && !(await tx.commitKey(held))) refuse('idempotency_in_progress')
}

/** The answer is stored before it is sent: a caller that has seen it gets the same one again. */
export async function keepAnswer(world: World, held: HeldKey, sealed: Uint8Array): Promise<void> {
  await world.failpoints.reach('answer: made')
  await world.store.transaction((tx) => tx.keepAnswer(held, sealed))
}

/** What identifies a payment on its chain. */
export type KnownPayment = { readonly network: string; readonly from: Hex; readonly nonce: Hex }

/**
 * Counts the keys shown with one payment, for as long as its answer is kept. A payment that is not on record has no answer yet,
 * and only its payer knows it: a call that could not be carried out may be sent again as often as it takes.
 */
export async function countTry(
  { store, clock, rules }: World,
  { network, from, nonce }: KnownPayment,
): Promise<number> {
  const asset = servedNetwork(rules, network)?.usdc
  if (asset && (await store.transferByAuthorization({ network, asset, from, nonce })) === null) return 0
  const window = await store.transaction((tx) =>
    tx.hit(`key-tries:${network} ${from} ${nonce}`, clock.now(), limits.idempotencyKey.keptMs),
  )
  return window.hits
}

export const releaseKey = ({ store }: World, held: HeldKey): Promise<void> =>
  store.transaction((tx) => tx.releaseKey(held))
