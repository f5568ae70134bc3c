import { AGENT_AUDIT, type TestingIntake } from '@guildhall/protocol'
import { newId } from '../../src/actions/new-id.ts'
import { scopeOf } from '../../src/domain/testing/scope.ts'
import type { Player } from './cast.ts'
import { atDesk } from './desk.ts'
import { sampleTestingRequest } from './samples.ts'
import type { Stage } from './stage.ts'
import { anIntake, aResult } from './test-results.ts'
import { until } from './until.ts'

/** A request that its owner has confirmed. */
export async function confirmedRequest(stage: Stage, intake: TestingIntake = anIntake): Promise<string> {
  const { world } = stage.node().service
  const now = stage.now()
  const id = newId(world, 'treq')
  const scope = scopeOf(intake, AGENT_AUDIT)
  await world.store.transaction((tx) =>
    tx.insertTestingRequest(sampleTestingRequest({ id, scope, createdAt: now, confirmedAt: now })),
  )
  return id
}

/** Approves a request, lets the nodes post it, and gives its tasks once they can be claimed. */
export async function approvedTasks(stage: Stage, requestId: string): Promise<readonly string[]> {
  await atDesk(stage, (desk) => desk.testing.approve(requestId))
  const { store } = stage.node().service.world
  const tasks = async () =>
    Promise.all((await store.testingRuns(requestId)).map(async ({ taskId }) => store.task(taskId)))
  const funded = await until(tasks, (all) => all.length > 0 && all.every((task) => task?.escrow?.status === 'funded'))
  return funded.flatMap((task) => (task ? [task.id] : []))
}

export const briefOf = async (worker: Player, taskId: string) =>
  (await worker.client.call('getTestingBrief', { params: { taskId } })).brief

/** Reads the brief and delivers a result that satisfies the contract. */
export async function deliverResult(
  worker: Player,
  taskId: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const result = aResult(await briefOf(worker, taskId), changes)
  await worker.client.tasks.deliver(taskId, {
    summary: 'Tried the workflow.',
    submission_type: 'json',
    submission_content: JSON.stringify(result),
  })
}
