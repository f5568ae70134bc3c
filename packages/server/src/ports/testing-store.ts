import type { TestingReport, TestingStatus } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import type { TestingWorker } from '../domain/testing/eligibility.ts'
import type { TestingRequest, TestingRun } from '../domain/testing/request.ts'

export type TestingFilter = {
  readonly status: TestingStatus | null
  /** Only requests older than the one with this id; null for the newest. */
  readonly before: string | null
  readonly limit: number
}

export type OwnerTestingPage = {
  readonly ownerId: string
  readonly email: string
  readonly before: string | null
  readonly limit: number
}

export type TestingReads = {
  testingRequest(id: string): Promise<TestingRequest | null>
  /** Newest first. */
  listTestingRequests(filter: TestingFilter): Promise<readonly TestingRequest[]>
  /** Those of the owner, and those that wait to be confirmed under the owner’s address, newest first. */
  ownerTestingRequests(page: OwnerTestingPage): Promise<readonly TestingRequest[]>
  /** Until when the requests of this address wait that can still be confirmed, the first to end first. */
  pendingIntakes(email: string, now: Instant): Promise<readonly Instant[]>
  /** How many requests of this owner have not ended. */
  openTestingRequests(ownerId: string): Promise<number>
  /** By run and attempt. */
  testingRuns(requestId: string): Promise<readonly TestingRun[]>
  testingRunOf(taskId: string): Promise<TestingRun | null>
  testingReport(requestId: string): Promise<TestingReport | null>
  testingWorker(agentId: string): Promise<TestingWorker | null>
  /** Those whose eligibility ends first come first. */
  listTestingWorkers(limit: number): Promise<readonly TestingWorker[]>
  houseAgentId(): Promise<string | null>
  /** Requests with runs to post, or that nobody has confirmed in time. */
  dueTestingRequests(now: Instant, limit: number): Promise<readonly string[]>
  /** The tasks of runs on which a decision waits, that have ended, or whose deposit has failed. */
  dueTestingRuns(now: Instant, limit: number): Promise<readonly string[]>
  /** The tasks of runs whose delivery waits for a review, oldest first. */
  testingDeliveries(limit: number): Promise<readonly string[]>
}

export type TestingWrites = {
  insertTestingRequest(request: TestingRequest): Promise<void>
  lockTestingRequest(id: string): Promise<TestingRequest | null>
  saveTestingRequest(request: TestingRequest): Promise<void>
  insertTestingRun(run: TestingRun): Promise<void>
  /**
   * Every change of a run reads it with this, for all of it is written back. Of several rows the request is locked first, then
   * the task, then the run.
   */
  lockTestingRun(taskId: string): Promise<TestingRun | null>
  saveTestingRun(run: TestingRun): Promise<void>
  /** False when the request has a report already. */
  insertTestingReport(requestId: string, report: TestingReport, at: Instant): Promise<boolean>
  saveTestingWorker(worker: TestingWorker): Promise<void>
}
