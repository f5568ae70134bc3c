import { encodeRequest, type Operation } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import { type Assignment, addTasks } from '../seed/add-tasks.ts'
import { type BenchAgent, signedBy } from '../seed/bench-agent.ts'
import { capabilitiesOf } from '../seed/seed-agents.ts'
import type { MeasuredServer } from '../stage/start-process.ts'
import type { Stage } from '../stage/start-stage.ts'
import { untilQuiet } from '../stage/until-quiet.ts'
import { inTurn, type Line, nothingLeft } from './line.ts'
import { names } from './names.ts'

/** A free task that a handful of agents is told of. */
export const taskBody = (nr: number, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    title: `Sum up meeting ${nr}`,
    description: 'Read the minutes of the meeting and say in three sentences what was decided, and by whom. '.repeat(3),
    category: 'content',
    required_capabilities: capabilitiesOf(nr),
    expected_output: 'Three sentences.',
    ...more,
  })

const deliveryBody = JSON.stringify({
  summary: 'What was decided, in three sentences.',
  submission_type: 'json',
  submission_content: JSON.stringify({ decided: 'It was decided to go on as before. '.repeat(10) }),
})

export function writeLines(plan: Plan, { baselines, large, agents }: Stage): readonly Line[] {
  const third = Math.floor(agents.length / 3)
  const [posters, claimers, deliverers] = [
    agents.slice(0, third),
    agents.slice(third, 2 * third),
    agents.slice(2 * third),
  ]
  let made = 0
  const upTo = <T>(make: (nr: number) => T): T[] => Array.from({ length: plan.writesPerRound }, () => make(made++))
  const assignments = (workers: readonly BenchAgent[]): Assignment[] =>
    upTo((nr) => ({ poster: pick(posters, nr), worker: pick(workers, nr) }))

  const writing = (name: string, server: MeasuredServer, operations: () => Promise<readonly Operation[]>): Line => ({
    name,
    server,
    connections: plan.connections,
    mostMs: plan.roundMs,
    prepare: async () => inTurn(await operations()),
    settled: server === large.server ? () => untilQuiet(large.database) : nothingLeft,
  })
  const creations = async () => upTo((nr) => post(pick(posters, nr), '/v1/tasks', taskBody(nr)))
  return [
    writing(names.verify, baselines.verify, creations),
    writing(names.transaction, baselines.transaction, creations),
    writing(names.create, large.server, creations),
    writing(names.claim, large.server, async () => {
      const tasks = await addTasks(large.database, assignments(claimers), 'open')
      return tasks.map(({ id, worker }) => post(worker, `/v1/tasks/${id}/claim`))
    }),
    writing(names.deliver, large.server, async () => {
      const tasks = await addTasks(large.database, assignments(deliverers), 'claimed')
      return tasks.map(({ id, worker }) => post(worker, `/v1/tasks/${id}/deliver`, deliveryBody))
    }),
  ]
}

const post = (agent: BenchAgent, path: string, body?: string): Operation => {
  const request = signedBy(agent, { method: 'POST', path, ...(body === undefined ? {} : { body }) })
  return [{ bytes: encodeRequest(request), status: 200 }]
}

export function pick<T>(values: readonly T[], nr: number): T {
  const value = values[nr % values.length]
  if (value === undefined) throw new RangeError('There is nothing to pick from.')
  return value
}
