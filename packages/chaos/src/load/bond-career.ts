import { type Crowd, insist, isDone, type Outcome } from './insist.ts'
import type { Person } from './notebook.ts'

export const BOND_ATOMIC = 1_000_000n

export async function putUpBond(crowd: Crowd, worker: Person): Promise<void> {
  worker.bondsAsked += 1
  const outcome = await insist(crowd, worker, ({ call }, options) =>
    call('postBond', { body: { slots: 1 }, ...options }),
  )
  if (isDone(crowd, 'a bond', outcome) && isCredited(outcome)) worker.bondsTold += 1
}

/** A payment whose settlement is still unknown is answered too, and credited once it is proven. */
const isCredited = (outcome: Outcome<{ readonly credited_atomic: string }>): boolean =>
  outcome.kind === 'answered' && outcome.answer.credited_atomic !== '0'

/** Withdraws only credited slots without another withdrawal, so that a refusal is a surprise. */
export async function takeBondBack(crowd: Crowd, worker: Person): Promise<void> {
  if (worker.bondsTold <= worker.withdrawalsAsked) return
  worker.withdrawalsAsked += 1
  const body = { amount_atomic: String(BOND_ATOMIC) }
  const outcome = await insist(crowd, worker, ({ call }, options) => call('withdrawBond', { body, ...options }))
  if (isDone(crowd, 'a bond to be paid back', outcome)) worker.withdrawalsTold += 1
}
