import type { TaskCategory, TaskStatus } from '@guildhall/protocol'
import type { Agent, PayoutWallet, Profile } from '../domain/agent/agent.ts'
import type { Receipt, Submission } from '../domain/delivery/delivery.ts'
import type { AgentIdentity } from '../domain/identity-link/identity-link.ts'
import type { InboxEvent, NewEvent, PaymentEvent } from '../domain/inbox/event.ts'
import type { Instant } from '../domain/instant.ts'
import type { Account, Posting } from '../domain/journal/posting.ts'
import type { Checkpoint, LedgerEntry, PendingEntry, Seal } from '../domain/ledger/ledger.ts'
import type { RateWindow } from '../domain/rate-limit/standing.ts'
import type { Task } from '../domain/task/task.ts'
import type { Authorization, Transfer } from '../domain/transfer/transfer.ts'
import type { BooksReads, BooksWrites } from './books-store.ts'
import type { DirectoryReads, DirectoryWrites } from './directory-store.ts'
import type { FeedbackReads, FeedbackWrites } from './feedback-store.ts'
import type { IdentityReads, IdentityWrites } from './identity-store.ts'
import type { MailReads, MailWrites } from './mail-store.ts'
import type { MessageReads, MessageWrites } from './message-store.ts'
import type { OperatorReads } from './operator-store.ts'
import type { OwnerAgentReads, OwnerAgentWrites } from './owner-agent-store.ts'
import type { OwnerReads, OwnerWrites } from './owner-store.ts'
import type { RepeatKeyReads, RepeatKeyWrites } from './repeat-key-store.ts'
import type { ReputationReads, ReputationWrites } from './reputation-store.ts'
import type { SkillReads, SkillWrites } from './skill-store.ts'
import type { TestingReads, TestingWrites } from './testing-store.ts'
import type { TrustStore } from './trust-store.ts'
import type { WebhookReads, WebhookWrites } from './webhook-store.ts'

/** A task with the related rows that a reader wants to see. */
export type TaskRecord = { readonly task: Task; readonly creatorName: string | null }

export type TaskDetail = TaskRecord & {
  readonly receipt: Receipt | null
  readonly submission: Submission | null
  readonly agentWallet: PayoutWallet | null
  readonly deposit: Transfer | null
  readonly payment: Transfer | null
}

/** Read together with the text that stays the same as long as nothing that everybody sees of it changes. */
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
  /** Only tasks older than this one; null begins with the newest. */
  readonly before: string | null
  readonly limit: number
}

export type Challenge = {
  readonly id: string
  readonly publicKey: string
  readonly text: string
  readonly difficulty: number
  readonly expiresAt: Instant
}

export type StatusCounts = {
  readonly agents: { readonly total: number; readonly active: number }
  readonly tasks: Readonly<Record<TaskStatus, number>>
  readonly paid: number
  readonly paidAtomic: bigint
}

export type InboxPage = {
  readonly events: readonly InboxEvent[]
  readonly hasMore: boolean
  readonly lastPosition: number
  readonly unread: number
}
export type InboxQuery = {
  readonly agentId: string
  /** Null: the newest events; otherwise those after this position, oldest first. */
  readonly after: number | null
  readonly type: string | null
  readonly unreadOnly: boolean
  readonly limit: number
}

export type InboxReader = { readonly agentId: string; readonly after: number }
/** `next` is what to ask with the next time. */
export type MovedInboxes = { readonly agentIds: readonly string[]; readonly next: string }
export type InboxNews = { readonly reader: number; readonly event: InboxEvent }

export type LedgerHead = { readonly sequence: number; readonly entryHash: string; readonly timestamp: Instant }
export type Balance = { readonly network: string; readonly account: Account; readonly atomic: bigint }
export type DueTimer = 'claim lapses' | 'unreviewed' | 'expires'

/** Everything that can be asked without changing anything. */
export type Reader = OwnReads &
  DirectoryReads &
  ReputationReads &
  MessageReads &
  WebhookReads &
  RepeatKeyReads &
  SkillReads &
  FeedbackReads &
  OwnerReads &
  OwnerAgentReads &
  MailReads &
  TestingReads &
  OperatorReads &
  IdentityReads &
  BooksReads

type OwnReads = {
  /** What `hit` has counted last for a key; its window may have ended. */
  rateWindow(key: string): Promise<RateWindow | null>
  agent(id: string): Promise<Agent | null>
  agentByNameKey(key: string): Promise<Agent | null>
  task(id: string): Promise<Task | null>
  taskDetail(id: string): Promise<TaskDetail | null>
  listTasks(filter: TaskFilter): Promise<TaskList>
  taskListFingerprint(filter: TaskFilter): Promise<string>
  /** Deliveries to people that wait for a review which ends in this time, and of which nobody has been reminded. */
  endingReviews(when: {
    readonly after: Instant
    readonly until: Instant
    readonly limit: number
  }): Promise<readonly string[]>
  /** The tasks that a person posted, newest first. */
  ownerTasks(page: OwnerTaskPage): Promise<readonly Task[]>
  /** The tasks on which the person who posted them has to decide or pay, oldest first. */
  tasksWaitingForOwner(ownerId: string, limit: number): Promise<readonly Task[]>
  receipts(taskId: string): Promise<readonly Receipt[]>
  submissions(taskId: string): Promise<readonly Submission[]>
  paymentEvents(taskId: string): Promise<readonly PaymentEvent[]>
  transfer(id: string): Promise<Transfer | null>
  transferByAuthorization(key: Pick<Authorization, 'network' | 'asset' | 'from' | 'nonce'>): Promise<Transfer | null>
  /** The task that a manage token, given by its hash, belongs to. */
  taskOfManageToken(hash: string): Promise<string | null>
  /** Bonds of the agent that are settled and that the chain could still take back. */
  youngBonds(agentId: string): Promise<readonly Transfer[]>
  /** Whether a bond of the agent is on its way in or out, or could still be taken back by the chain. */
  hasOpenBond(agentId: string): Promise<boolean>
  /** Withdrawals of the agent's bond that nobody has signed yet. */
  unsentWithdrawals(agentId: string): Promise<readonly string[]>
  /** What the house still stands in for, because bonds of the agent were reorged away after they were slashed or withdrawn. */
  bondDebt(agentId: string, network: string): Promise<bigint>
  activeClaims(agentId: string): Promise<number>
  /** Tasks that the agent has claimed and let expire, while no timer has come to them. */
  lapsedClaims(agentId: string, now: Instant): Promise<readonly string[]>
  inbox(query: InboxQuery): Promise<InboxPage>
  /** Events after each reader's cursor, oldest first, at most `limit` per reader; `reader` is its index in the list. */
  inboxNews(readers: readonly InboxReader[], limit: number): Promise<readonly InboxNews[]>
  /** The inboxes with events since an earlier look, a few perhaps twice and none left out; null returns only where to start. */
  movedInboxes(since: string | null): Promise<MovedInboxes>
  ledgerHead(): Promise<LedgerHead | null>
  ledgerEntry(sequence: number): Promise<LedgerEntry | null>
  /** Oldest first, both ends included. */
  ledgerRange(from: number, to: number): Promise<readonly LedgerEntry[]>
  /** In order: the first one, those from `from` to `to`, and the `newest` latest ones. */
  checkpoints(from: number, to: number, newest: number): Promise<readonly Checkpoint[]>
  /** Hashes of complete subtrees of the Merkle tree: level 0 are the leaves. */
  merkleNodes(wanted: readonly { readonly level: number; readonly index: number }[]): Promise<readonly string[]>
  /** The seal of a pending entry, once it has one. */
  seal(pendingId: string): Promise<Seal | null>
  /** Whether entries wait for the sealer. */
  hasPending(): Promise<boolean>
  /** Whether entries have come since the last checkpoint, and that was issued at this time or before. */
  isCheckpointDue(issuedBy: Instant): Promise<boolean>
  balances(): Promise<readonly Balance[]>
  statusCounts(): Promise<StatusCounts>
  dueTimers(timer: DueTimer, now: Instant, limit: number): Promise<readonly string[]>
  /** Transfers to be settled, or settled ones to be watched until they are final. */
  dueTransfers(now: Instant, limit: number, network: string): Promise<readonly string[]>
  /** Claimable tasks whose matching agents have not been told. */
  unannouncedTasks(limit: number): Promise<readonly string[]>
}

/**
 * One transaction. Row locks are taken in this order: task, transfer, agent, reputations (sorted), inboxes (sorted). Statements
 * run in the order of the calls. A write without a result may still be in flight when its promise resolves: later statements see
 * it, and if it fails, they and the commit fail with it.
 */
export type Transaction = Reader &
  OwnWrites &
  DirectoryWrites &
  ReputationWrites &
  MessageWrites &
  WebhookWrites &
  RepeatKeyWrites &
  SkillWrites &
  FeedbackWrites &
  OwnerWrites &
  OwnerAgentWrites &
  MailWrites &
  TestingWrites &
  IdentityWrites &
  BooksWrites

type OwnWrites = {
  /** False when the signature has been used before. */
  burnSignature(hash: Uint8Array, expiresAt: Instant): Promise<boolean>
  /** False when the nonce has been used before. */
  burnWalletNonce(purpose: 'payout wallet' | 'task action', nonce: string, at: Instant): Promise<boolean>

  /** Replaces all challenges of the key. */
  saveChallenge(challenge: Challenge): Promise<void>
  /** Removes and gives back the challenge: it can be used once. */
  takeChallenge(id: string): Promise<Challenge | null>
  /** False when the id or the name is taken. */
  insertAgent(agent: Agent, nameKey: string): Promise<'inserted' | 'id_taken' | 'name_taken'>
  lockAgent(id: string): Promise<Agent | null>
  setWallet(agentId: string, wallet: PayoutWallet | null): Promise<void>
  /** Adds to the counts of an agent's record. */
  countForAgent(agentId: string, change: Partial<Record<keyof Agent['track'], number>>): Promise<void>
  /** Adds to the bond, or takes from it; the balance never goes below zero. */
  adjustBond(agentId: string, network: string, change: bigint): Promise<void>
  updateProfile(agentId: string, profile: Profile, nameKey: string): Promise<'updated' | 'name_taken'>

  insertTask(task: Task): Promise<void>
  /**
   * Inserts a claimable task and tells matching agents, if they are few and no other transaction holds one of their inboxes;
   * otherwise it is left unannounced.
   */
  postTask(task: Task, at: Instant, newId: () => string): Promise<void>
  lockTask(id: string): Promise<Task | null>
  /** Writes all that may change of a task; the row must have been locked in this transaction. */
  saveTask(task: Task): Promise<void>

  /** False when the poster has been reminded of this review before. */
  noteReminder(taskId: string, endsAt: Instant): Promise<boolean>

  saveManageToken(taskId: string, hash: string): Promise<void>
  insertSubmission(submission: Submission): Promise<void>
  insertReceipt(receipt: Receipt): Promise<void>

  /** False when an authorization with the same network, asset, payer and nonce is on record. */
  insertTransfer(transfer: Transfer): Promise<boolean>
  lockTransfer(id: string): Promise<Transfer | null>
  saveTransfer(transfer: Transfer): Promise<void>
  /** Takes the lease when it is free and counts it; null when another attempt holds it or there is nothing to do. */
  leaseTransfer(id: string, now: Instant, until: Instant): Promise<Transfer | null>

  post(posting: Posting): Promise<void>

  appendPending(entry: PendingEntry): Promise<void>
  addEvents(events: readonly NewEvent[], at: Instant, newId: () => string): Promise<void>
  /**
   * Tells all matching agents in the change that makes a task claimable, if they are few and no other transaction holds one of
   * their inboxes; false when that is left to the jobs. It waits for no inbox lock, and must come last: no other inbox may be
   * locked after it.
   */
  announceAtOnce(task: Task, at: Instant, newId: () => string): Promise<boolean>
  /**
   * One event for every active agent whose capabilities cover these, the poster excepted: the next batch of them, and
   * whether it was the last. The task must have been locked in this transaction.
   */
  announceTask(task: Task, at: Instant, newId: () => string): Promise<{ readonly told: number; readonly done: boolean }>
  markEventsRead(
    agentId: string,
    which: { readonly ids: readonly string[] } | { readonly upTo: number },
    at: Instant,
  ): Promise<number>
  addPaymentEvent(event: PaymentEvent): Promise<void>

  /** Counts one more hit in the key's window. Without one, or when it has ended, this hit begins one of that length. */
  hit(key: string, now: Instant, windowMs: number): Promise<RateWindow>
  /** Forgets what has expired: burnt signatures, challenges, rate windows. Gives the number of rows. */
  forgetExpired(now: Instant): Promise<number>
}

/** What the sealer alone may do, while it holds the head. */
export type SealingTransaction = {
  /** Locks the head row, waiting for another sealer to finish. */
  lockHead(): Promise<LedgerHead>
  /** Pending entries in the order of their insertion. */
  pending(limit: number): Promise<readonly PendingEntry[]>
  /** Writes the sealed entries, stamps their receipts, removes the pending ones and moves the head. */
  append(
    sealed: readonly { readonly pending: PendingEntry; readonly entry: LedgerEntry }[],
    nodes: readonly { readonly level: number; readonly index: number; readonly hash: string }[],
  ): Promise<void>
  merkleNodes(wanted: readonly { readonly level: number; readonly index: number }[]): Promise<readonly string[]>
  addCheckpoint(checkpoint: Checkpoint): Promise<void>
  lastCheckpoint(): Promise<Checkpoint | null>
}

export type Store = Reader & {
  /** Commits what `work` did, or nothing. Run again after a deadlock or serialization failure: `work` must be repeatable. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  readonly trust: TrustStore
  publicTask(id: string): Promise<(TaskDetail & Fingerprinted) | null>
  taskFingerprint(id: string): Promise<string | null>
  /** The identity of this agent, if it has one. */
  identityOf(agentId: string): Promise<AgentIdentity | null>
  sealing<T>(work: (tx: SealingTransaction) => Promise<T>): Promise<T>
  ready(): Promise<boolean>
  close(): Promise<void>
}
