import type { TestingReport } from '@guildhall/protocol'
import type { OwnerCaller } from '../../domain/owner/owner.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TestingRequest, TestingRun } from '../../domain/testing/request.ts'
import { packageOf } from '../../domain/testing/runs.ts'
import type { World } from '../../ports/world.ts'
import { ownRequest } from './own-request.ts'

/** A run as its owner sees it: the newest attempt, and the state of its task. */
export type RunStanding = { readonly run: number; readonly latest: TestingRun | null; readonly task: Task | null }

export type RequestFile = {
  readonly request: TestingRequest
  readonly runs: readonly RunStanding[]
  readonly report: TestingReport | null
}

export async function readRequest(world: World, caller: OwnerCaller, id: string): Promise<RequestFile> {
  const request = await ownRequest(world, caller, id)
  const [all, report] = await Promise.all([world.store.testingRuns(id), world.store.testingReport(id)])
  const numbers = Array.from({ length: packageOf(request.scope).runs }, (_, place) => place + 1)
  const runs = await Promise.all(
    numbers.map(async (run) => {
      const latest = all.findLast((one) => one.run === run) ?? null
      return { run, latest, task: latest === null ? null : await world.store.task(latest.taskId) }
    }),
  )
  return { request, runs, report }
}
