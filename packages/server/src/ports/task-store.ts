import type { TaskCategory, TaskStatus } from '@guildhall/protocol'
import type { PayoutWallet } from '../domain/agent/agent.ts'
import type { Receipt, Submission } from '../domain/delivery/delivery.ts'
import type { Instant } from '../domain/instant.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'

export type TaskRecord = { readonly task: Task; readonly creatorName: string | null }

/** A task with the related rows that its readers see: receipt and submission of the newest delivery, deposit and payment. */
export type TaskDetail = TaskRecord & {
  readonly receipt: Receipt | null
  readonly submission: Submission | null
  readonly agentWallet: PayoutWallet | null
  readonly deposit: Transfer | null
  readonly payment: Transfer | null
}

/** The fingerprint changes whenever anything changes that everybody can see. */
export type Fingerprinted = { readonly fingerprint: string }

export type TaskList = Fingerprinted & { readonly tasks: readonly TaskRecord[] }

export type TaskFilter = {
  readonly statuses: readonly TaskStatus[] | null
  readonly category: TaskCategory | null
  readonly capability: string | null
  readonly creator: string | null
  readonly claimer: string | null
  readonly minAmount: bigint | null
  readonly limit: number
  readonly offset: number
}

export type OwnerTaskPage = {
  readonly ownerId: string
  readonly statuses: readonly TaskStatus[] | null
  /** Only tasks older than this one; null starts with the newest. */
  readonly before: string | null
  readonly limit: number
}

export type DueTimer = 'claim lapses' | 'unreviewed' | 'expires'

export type TaskReads = {
  task(id: string): Promise<Task | null>
  taskDetail(id: string): Promise<TaskDetail | null>
  listTasks(filter: TaskFilter): Promise<TaskList>
  taskListFingerprint(filter: TaskFilter): Promise<string>
  /** The tasks that a person posted, newest first. */
  ownerTasks(page: OwnerTaskPage): Promise<readonly Task[]>
  /** The tasks that wait for a decision or a payment by the person who posted them, oldest first. */
  tasksWaitingForOwner(ownerId: string, limit: number): Promise<readonly Task[]>
  /** The task that belongs to a manage token, which is given by its hash. */
  taskOfManageToken(hash: string): Promise<string | null>
  receipts(taskId: string): Promise<readonly Receipt[]>
  submissions(taskId: string): Promise<readonly Submission[]>
  activeClaims(agentId: string): Promise<number>
  /** Claims of the agent that have expired, but whose timer has not fired yet. */
  lapsedClaims(agentId: string, now: Instant): Promise<readonly string[]>
  dueTimers(timer: DueTimer, now: Instant, limit: number): Promise<readonly string[]>
  /** Tasks posted by people whose review ends within this time, if the person has not been reminded yet. */
  endingReviews(when: {
    readonly after: Instant
    readonly until: Instant
    readonly limit: number
  }): Promise<readonly string[]>
  /** Claimable tasks whose matching agents have not been told yet. */
  unannouncedTasks(limit: number): Promise<readonly string[]>
}

export type TaskWrites = {
  insertTask(task: Task): Promise<void>
  /** `insertTask` and `announceAtOnce` together, for a task that is claimable from the start. */
  postTask(task: Task, at: Instant, newId: () => string): Promise<void>
  lockTask(id: string): Promise<Task | null>
  /** Writes every column that may change; the row must have been locked in this transaction. */
  saveTask(task: Task): Promise<void>
  /**
   * Tells all matching agents, if they are few and no other transaction holds one of their inboxes; otherwise returns false, and
   * the jobs tell them later. It waits for no inbox lock, and must come last: no other inbox may be locked after it.
   */
  announceAtOnce(task: Task, at: Instant, newId: () => string): Promise<boolean>
  /**
   * Tells the next batch of active agents whose capabilities cover those of the task, except its poster; `done` after the last
   * batch. The task must have been locked in this transaction.
   */
  announceTask(task: Task, at: Instant, newId: () => string): Promise<{ readonly told: number; readonly done: boolean }>
  /** False when the poster has already been reminded of this review. */
  noteReminder(taskId: string, endsAt: Instant): Promise<boolean>
  saveManageToken(taskId: string, hash: string): Promise<void>
  insertSubmission(submission: Submission): Promise<void>
  insertReceipt(receipt: Receipt): Promise<void>
}

/** For the public documents, which are cached and revalidated by their fingerprint. */
export type PublicTaskReads = {
  /** Its submission only while that is published. */
  publicTask(id: string): Promise<(TaskDetail & Fingerprinted) | null>
  taskFingerprint(id: string): Promise<string | null>
}
