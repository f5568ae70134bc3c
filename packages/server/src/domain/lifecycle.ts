import type { Refusal } from './refusal.ts'

/** A condition and the refusal for when it does not hold. */
export type Guard<F> = {
  readonly name: string
  readonly holds: (facts: F) => boolean
  readonly refusal: (facts: F) => Refusal
}

/** A side effect of a move, built from the facts before it; null when it does not apply. */
export type Consequence<F, E> = { readonly name: string; readonly of: (facts: F) => E | null }

export type Move<S, F, C, E> = {
  /** Checked in this order: the first that fails decides the refusal. */
  readonly when?: readonly Guard<F>[]
  readonly to: S
  readonly set?: (facts: F) => C
  readonly also?: readonly Consequence<F, E>[]
}

/** A trigger: who may use it, and the refusal in states that have no row for it. */
export type Trigger<F> = {
  readonly by?: readonly Guard<F>[]
  readonly otherwise: (facts: F) => Refusal
}

/** Keyed by state, then by trigger: a forgotten state does not compile. */
export type Lifecycle<S extends string, T extends string, F, C, E> = {
  readonly triggers: Readonly<Record<T, Trigger<F>>>
  readonly rows: Readonly<Record<S, Readonly<Partial<Record<T, Move<S, F, C, E>>>>>>
}

export type Followed<S, C, E> =
  | {
      readonly kind: 'moved'
      readonly to: S
      readonly changes: C | Record<string, never>
      readonly effects: readonly E[]
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Looks up the move, checks its guards, and returns what would happen. Pure: it changes nothing. */
export function follow<S extends string, T extends string, F, C, E>(
  lifecycle: Lifecycle<S, T, F, C, E>,
  state: S,
  trigger: T,
  facts: F,
): Followed<S, C, E> {
  const { by = [], otherwise } = lifecycle.triggers[trigger]
  const move = lifecycle.rows[state][trigger]
  for (const guard of [...by, ...(move?.when ?? [])]) {
    if (!guard.holds(facts)) return { kind: 'refused', refusal: guard.refusal(facts) }
  }
  if (!move) return { kind: 'refused', refusal: otherwise(facts) }
  const effects = (move.also ?? []).map((consequence) => consequence.of(facts)).filter((effect) => effect !== null)
  return { kind: 'moved', to: move.to, changes: move.set?.(facts) ?? {}, effects }
}
