import { randomInt } from 'node:crypto'
import { encodeRequest } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import { ITEMS, itemId } from '../seed/seed-baseline.ts'
import { boardTaskId } from '../seed/seed-board.ts'
import type { MeasuredServer } from '../stage/start-process.ts'
import type { Stage } from '../stage/start-stage.ts'
import { type Line, nothingLeft, overAndOver } from './line.ts'
import { names } from './names.ts'

const DIFFERENT_PATHS = 10_000

export function readLines(plan: Plan, { baselines, small, large }: Stage): readonly Line[] {
  const reading = (name: string, server: MeasuredServer, paths: readonly string[]): Line => {
    const operations = paths.map((path) => [{ bytes: encodeRequest({ method: 'GET', path }), status: 200 }])
    return {
      name,
      server,
      connections: plan.connections,
      mostMs: plan.roundMs,
      prepare: async () => overAndOver(operations),
      settled: nothingLeft,
    }
  }
  const drawn = (most: number, path: (nr: number) => string): readonly string[] =>
    Array.from({ length: DIFFERENT_PATHS }, () => path(randomInt(most)))
  return [
    reading(names.plain, baselines.plain, ['/']),
    reading(
      names.select,
      baselines.select,
      drawn(ITEMS, (nr) => `/items/${itemId(nr)}`),
    ),
    reading(names.health, large.server, ['/v1/health']),
    reading(
      names.taskById,
      large.server,
      drawn(plan.largeBoard, (nr) => `/v1/tasks/${boardTaskId(nr)}`),
    ),
    reading(names.list(plan.smallBoard), small.server, ['/v1/tasks']),
    reading(names.list(plan.largeBoard), large.server, ['/v1/tasks']),
  ]
}
