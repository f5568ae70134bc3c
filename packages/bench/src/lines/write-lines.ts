import type { Operation } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import type { MeasuredServer } from '../stage/start-process.ts'
import type { Stage } from '../stage/start-stage.ts'
import { untilQuiet } from '../stage/until-quiet.ts'
import { inTurn, type Line, nothingLeft } from './line.ts'
import { names } from './names.ts'
import { createWrites } from './writes.ts'

export function writeLines(plan: Plan, stage: Stage): readonly Line[] {
  const { baselines, large } = stage
  const { creations, claims, deliveries } = createWrites(stage)
  const writing = (
    name: string,
    server: MeasuredServer,
    operations: (count: number) => Promise<readonly Operation[]>,
  ): Line => ({
    name,
    server,
    connections: plan.connections,
    mostMs: plan.roundMs,
    prepare: async () => inTurn(await operations(plan.writesPerRound)),
    settled: server === large.server ? () => untilQuiet(large.database) : nothingLeft,
  })
  return [
    writing(names.verify, baselines.verify, creations),
    writing(names.transaction, baselines.transaction, creations),
    writing(names.create, large.server, creations),
    writing(names.claim, large.server, claims),
    writing(names.deliver, large.server, deliveries),
  ]
}
