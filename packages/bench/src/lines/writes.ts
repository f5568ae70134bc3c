import { encodeRequest, type Operation } from '../load/operation.ts'
import { type Assignment, addTasks } from '../seed/add-tasks.ts'
import { type BenchAgent, signedBy } from '../seed/bench-agent.ts'
import { capabilitiesOf } from '../seed/seed-agents.ts'
import type { Stage } from '../stage/start-stage.ts'

/** A free task that matches a handful of agents. */
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

/** Signed changes, each usable once, built in the number asked for. */
export type Writes = {
  creations(count: number): Promise<readonly Operation[]>
  claims(count: number): Promise<readonly Operation[]>
  deliveries(count: number): Promise<readonly Operation[]>
}

export function createWrites({ large, agents }: Stage): Writes {
  const third = Math.floor(agents.length / 3)
  const posters = agents.slice(0, third)
  const claimers = agents.slice(third, 2 * third)
  const deliverers = agents.slice(2 * third)
  let made = 0
  const each = <T>(count: number, make: (nr: number) => T): T[] => Array.from({ length: count }, () => make(made++))
  const assignments = (count: number, workers: readonly BenchAgent[]): Assignment[] =>
    each(count, (nr) => ({ poster: pick(posters, nr), worker: pick(workers, nr) }))
  return {
    creations: async (count) => each(count, (nr) => post(pick(posters, nr), '/v1/tasks', taskBody(nr))),
    async claims(count) {
      const tasks = await addTasks(large.database, assignments(count, claimers), 'open')
      return tasks.map(({ id, worker }) => post(worker, `/v1/tasks/${id}/claim`))
    },
    async deliveries(count) {
      const tasks = await addTasks(large.database, assignments(count, deliverers), 'claimed')
      return tasks.map(({ id, worker }) => post(worker, `/v1/tasks/${id}/deliver`, deliveryBody))
    },
  }
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
