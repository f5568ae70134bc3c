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
  /** Requests whose runs cannot be posted, oldest first. */
  troubledTestingRequests(limit: number): Promise<readonly TestingRequest[]>
  /** The owner's requests, and unconfirmed ones under the owner's mail address, newest first. */
  ownerTestingRequests(page: OwnerTestingPage): Promise<readonly TestingRequest[]>
  /** When each request of this address that can still be confirmed expires, the earliest first. */
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
  /** Requests with runs to post, or that were not confirmed in time. */
  dueTestingRequests(now: Instant, limit: number): Promise<readonly string[]>
  /** Tasks of runs with a decision to carry out, with an outcome to record, or with a failed deposit. */
  dueTestingRuns(now: Instant, limit: number): Promise<readonly string[]>
  /** Tasks of runs whose delivery waits for a review, oldest first. */
  testingDeliveries(limit: number): Promise<readonly string[]>
}

export type TestingWrites = {
  insertTestingRequest(request: TestingRequest): Promise<void>
  lockTestingRequest(id: string): Promise<TestingRequest | null>
  saveTestingRequest(request: TestingRequest): Promise<void>
  insertTestingRun(run: TestingRun): Promise<void>
  /**
   * Every change of a run starts with this, because `saveTestingRun` writes the whole row. Lock the request first, then the task,
   * then the run.
   */
  lockTestingRun(taskId: string): Promise<TestingRun | null>
  saveTestingRun(run: TestingRun): Promise<void>
  /** False when the request has a report already. */
  insertTestingReport(requestId: string, report: TestingReport, at: Instant): Promise<boolean>
  saveTestingWorker(worker: TestingWorker): Promise<void>
}
