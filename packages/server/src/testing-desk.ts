import { allowWorker, renewWorker, suspendWorker } from './actions/testing/admit-worker.ts'
import { approveTesting, leaveDecision, rejectTesting } from './actions/testing/judge-request.ts'
import type { TestingWorker } from './domain/testing/eligibility.ts'
import type { RunDecision, TestingRequest, TestingRun } from './domain/testing/request.ts'
import type { Office } from './ports/office.ts'
import type { TestingFilter } from './ports/testing-store.ts'

export type TestingFile = {
  readonly request: TestingRequest
  readonly runs: readonly (TestingRun & { readonly taskStatus: string; readonly claimedBy: string | null })[]
}

/** What an operator can do about product tests. */
export type TestingDesk = {
  list(filter: TestingFilter): Promise<readonly TestingRequest[]>
  show(id: string): Promise<TestingFile | null>
  approve(id: string): Promise<TestingRequest>
  reject(id: string, note: string): Promise<TestingRequest>
  /** Stores a decision on a delivery for the running nodes to carry out. */
  decide(taskId: string, decision: RunDecision, note: string | null): Promise<TestingRun>
  run(taskId: string): Promise<TestingRun | null>
  /** The newest delivery; null before the first. */
  delivery(taskId: string): Promise<string | null>
  workers(limit: number): Promise<readonly TestingWorker[]>
  allow(idOrName: string): Promise<TestingWorker>
  suspend(idOrName: string, reason: string): Promise<TestingWorker>
  renew(idOrName: string): Promise<TestingWorker>
}

export const testingDesk = (office: Office): TestingDesk => ({
  list: (filter) => office.store.listTestingRequests(filter),
  show: (id) => show(office, id),
  approve: (id) => approveTesting(office, id),
  reject: (id, note) => rejectTesting(office, id, note),
  decide: (taskId, decision, note) => leaveDecision(office, taskId, decision, note),
  run: (taskId) => office.store.testingRunOf(taskId),
  delivery: async (taskId) => (await office.store.submissions(taskId))[0]?.content ?? null,
  workers: (limit) => office.store.listTestingWorkers(limit),
  allow: (idOrName) => allowWorker(office, idOrName),
  suspend: (idOrName, reason) => suspendWorker(office, idOrName, reason),
  renew: (idOrName) => renewWorker(office, idOrName),
})

async function show({ store }: Office, id: string): Promise<TestingFile | null> {
  const request = await store.testingRequest(id)
  if (request === null) return null
  const runs = await Promise.all(
    (await store.testingRuns(id)).map(async (run) => {
      const task = await store.task(run.taskId)
      return { ...run, taskStatus: task?.status ?? 'gone', claimedBy: task?.claimedBy ?? null }
    }),
  )
  return { request, runs }
}
