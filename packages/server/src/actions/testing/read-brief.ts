import type { Caller } from '../../domain/caller.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Task } from '../../domain/task/task.ts'
import { whyLapsed } from '../../domain/testing/eligibility.ts'
import type { TestingRequest, TestingRun } from '../../domain/testing/request.ts'
import type { World } from '../../ports/world.ts'

export type Brief = { readonly task: Task; readonly run: TestingRun; readonly request: TestingRequest }

/** What to test, for the agent that holds the claim; for everybody else the assignment is not found. */
export async function readBrief(world: World, { agent }: Caller, taskId: string): Promise<Brief> {
  const { store, clock } = world
  const now = clock.now()
  const [task, run] = await Promise.all([store.task(taskId), store.testingRunOf(taskId)])
  if (!task || !run || !holds(task, agent.id, now)) refuseMissing()
  const reason = agent.status === 'active' ? whyLapsed(await store.testingWorker(agent.id), now) : 'suspended'
  if (reason !== null) refuse('worker_ineligible', { reason })
  const request = await store.testingRequest(run.requestId)
  return request ? { task, run, request } : refuseMissing()
}

function refuseMissing(): never {
  refuse('not_found', { resource: 'assignment' }, 'You hold no claim on a testing task with this id.')
}

const holds = ({ status, claimedBy, claimExpiresAt }: Task, agentId: string, now: number): boolean =>
  claimedBy === agentId &&
  (status === 'submitted' || (status === 'claimed' && (claimExpiresAt === null || now < claimExpiresAt)))
