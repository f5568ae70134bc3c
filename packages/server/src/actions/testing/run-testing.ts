import { moved } from '../../domain/testing/lifecycle.ts'
import { outcomeOf } from '../../domain/testing/runs.ts'
import type { World } from '../../ports/world.ts'
import { concludeTestRuns } from './conclude-test-runs.ts'
import { decideOnRun } from './decide-on-run.ts'
import { fundTestRun } from './fund-test-run.ts'
import { postTestRuns } from './post-test-runs.ts'

type Guarded = (what: string, id: string, work: () => Promise<unknown>) => Promise<unknown>

const BATCH = 50

/** All due testing work, once; returns the number of changes. */
export async function runTesting(world: World, guarded: Guarded): Promise<number> {
  const now = world.clock.now()
  let count = 0
  const counting = async (work: Promise<boolean>) => {
    if (await work) count++
  }
  for (const id of await world.store.dueTestingRequests(now, BATCH))
    await guarded('testing request', id, () => counting(requestIsDue(world, id)))
  for (const taskId of await world.store.dueTestingRuns(now, BATCH))
    await guarded('test run', taskId, () => counting(runIsDue(world, taskId)))
  return count
}

async function requestIsDue(world: World, id: string): Promise<boolean> {
  const request = await world.store.testingRequest(id)
  return request?.status === 'unconfirmed' ? forgetIntake(world, id) : postTestRuns(world, id)
}

const forgetIntake = (world: World, id: string): Promise<boolean> =>
  world.store.transaction(async (tx) => {
    const request = await tx.lockTestingRequest(id)
    if (request?.status !== 'unconfirmed') return false
    await tx.saveTestingRequest(moved(request, 'nobody confirms', { now: world.clock.now() }))
    return true
  })

async function runIsDue(world: World, taskId: string): Promise<boolean> {
  const [run, task] = await Promise.all([world.store.testingRunOf(taskId), world.store.task(taskId)])
  if (!run || !task || run.outcome !== null) return false
  if (outcomeOf(task) !== null) return concludeTestRuns(world, run.requestId)
  if (run.decision !== null) return decideOnRun(world, run)
  return task.escrow?.status === 'unfunded' ? fundTestRun(world, task, run) : false
}
