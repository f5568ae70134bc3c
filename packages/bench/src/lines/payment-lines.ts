import { BASE } from '@guildhall/protocol'
import { encodeRequest, type Operation } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import { signedBy } from '../seed/bench-agent.ts'
import type { Stage } from '../stage/start-stage.ts'
import { type Line, nothingLeft, overAndOver } from './line.ts'
import { names } from './names.ts'
import { pick, taskBody } from './writes.ts'

const DIFFERENT_TASKS = 1_000

/** The first half of the handshake: the 402 for anybody, and for an agent that posts a task. */
export function paymentLines(plan: Plan, { large, agents }: Stage): readonly Line[] {
  const line = (name: string, operations: () => readonly Operation[]): Line => ({
    name,
    server: large.server,
    connections: plan.connections,
    mostMs: plan.roundMs,
    prepare: async () => overAndOver(operations()),
    settled: nothingLeft,
  })
  const bounty = { amount: '1000000', network: BASE.id }
  const asking = (nr: number): Operation => {
    const request = signedBy(pick(agents, nr), { method: 'POST', path: '/v1/tasks', body: taskBody(nr, { bounty }) })
    return [{ bytes: encodeRequest(request), status: 402 }]
  }
  return [
    line(names.priceCheck, () => [[{ bytes: encodeRequest({ method: 'POST', path: '/v1/x402/tasks' }), status: 402 }]]),
    line(names.signed402, () => Array.from({ length: DIFFERENT_TASKS }, (_, nr) => asking(nr))),
  ]
}
