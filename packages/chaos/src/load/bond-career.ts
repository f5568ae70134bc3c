import { type Crowd, insist, isDone } from './insist.ts'
import type { Person } from './notebook.ts'

export const BOND_ATOMIC = 1_000_000n

export async function putUpBond(crowd: Crowd, worker: Person): Promise<void> {
  worker.bondsAsked += 1
  const outcome = await insist(crowd, worker, ({ call }, options) =>
    call('postBond', { body: { slots: 1 }, ...options }),
  )
  if (isDone(crowd, 'a bond', outcome)) worker.bondsTold += 1
}

/** Withdraws only confirmed slots without another withdrawal, so that a refusal is a surprise. */
export async function takeBondBack(crowd: Crowd, worker: Person): Promise<void> {
  if (worker.bondsTold <= worker.withdrawalsAsked) return
  worker.withdrawalsAsked += 1
  const body = { amount_atomic: String(BOND_ATOMIC) }
  const outcome = await insist(crowd, worker, ({ call }, options) => call('withdrawBond', { body, ...options }))
  if (isDone(crowd, 'a bond to be paid back', outcome)) worker.withdrawalsTold += 1
}
