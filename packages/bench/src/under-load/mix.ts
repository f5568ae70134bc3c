import { randomInt } from 'node:crypto'
import { names } from '../lines/names.ts'
import { createWrites, type Writes } from '../lines/writes.ts'
import type { Arrival } from '../load/arrive.ts'
import { encodeRequest, type Operation, type Step } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import { boardTaskId } from '../seed/seed-board.ts'
import type { Stage } from '../stage/start-stage.ts'

/** Builds `count` requests of all kinds, in random order. */
export type Mix = (count: number) => Promise<readonly Arrival[]>

/** Reads a random task of a board. */
export const readAny = (board: number): Step => reading(`/v1/tasks/${boardTaskId(randomInt(board))}`)

/** Percentages of the kinds. */
const SHARES = { taskById: 60, list: 20, create: 8, claim: 6, deliver: 6 } as const
export const READING_SHARE = (SHARES.taskById + SHARES.list) / 100
export const LIST = 'list'
export const KINDS = [names.taskById, LIST, names.create, names.claim, names.deliver] as const

export function createMix(plan: Plan, stage: Stage): Mix {
  const writes: Writes = createWrites(stage)
  const list = reading('/v1/tasks')
  return async (count) => {
    const part = (share: number) => Math.ceil((count * share) / 100)
    const reads = Array.from({ length: part(SHARES.taskById) }, () => readAny(plan.largeBoard))
    return shuffled([
      ...of(names.taskById, reads),
      ...of(LIST, Array<Step>(part(SHARES.list)).fill(list)),
      ...of(names.create, onlySteps(await writes.creations(part(SHARES.create)))),
      ...of(names.claim, onlySteps(await writes.claims(part(SHARES.claim)))),
      ...of(names.deliver, onlySteps(await writes.deliveries(part(SHARES.deliver)))),
    ])
  }
}

const reading = (path: string): Step => ({ bytes: encodeRequest({ method: 'GET', path }), status: 200 })
const of = (kind: string, steps: readonly Step[]): Arrival[] => steps.map((step) => ({ kind, step }))
const onlySteps = (operations: readonly Operation[]): readonly Step[] => operations.flat()

function shuffled<T>(values: T[]): T[] {
  for (let at = values.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    ;[values[at], values[other]] = [values[other] as T, values[at] as T]
  }
  return values
}
