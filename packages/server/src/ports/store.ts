import type { TaskStatus } from '@guildhall/protocol'
import type { AgentIdentity } from '../domain/identity-link/identity-link.ts'
import type { AgentReads, AgentWrites } from './agent-store.ts'
import type { BooksReads, BooksWrites } from './books-store.ts'
import type { DirectoryReads, DirectoryWrites } from './directory-store.ts'
import type { ExpiringReads, ExpiringWrites } from './expiring-store.ts'
import type { FeedbackReads, FeedbackWrites } from './feedback-store.ts'
import type { IdentityReads, IdentityWrites } from './identity-store.ts'
import type { InboxReads, InboxWrites } from './inbox-store.ts'
import type { LedgerReads, LedgerWrites, SealingTransaction } from './ledger-store.ts'
import type { MailReads, MailWrites } from './mail-store.ts'
import type { MessageReads, MessageWrites } from './message-store.ts'
import type { OperatorReads } from './operator-store.ts'
import type { OwnerAgentReads, OwnerAgentWrites } from './owner-agent-store.ts'
import type { OwnerReads, OwnerWrites } from './owner-store.ts'
import type { RepeatKeyReads, RepeatKeyWrites } from './repeat-key-store.ts'
import type { ReputationReads, ReputationWrites } from './reputation-store.ts'
import type { SkillReads, SkillWrites } from './skill-store.ts'
import type { PublicTaskReads, TaskReads, TaskWrites } from './task-store.ts'
import type { TestingReads, TestingWrites } from './testing-store.ts'
import type { TrustStore } from './trust-store.ts'
import type { WebhookReads, WebhookWrites } from './webhook-store.ts'

/** Everything that can be read, inside or outside of a transaction. */
export type Reader = AgentReads &
  DirectoryReads &
  ReputationReads &
  TaskReads &
  BooksReads &
  LedgerReads &
  InboxReads &
  MessageReads &
  WebhookReads &
  OwnerReads &
  OwnerAgentReads &
  IdentityReads &
  MailReads &
  TestingReads &
  OperatorReads &
  SkillReads &
  FeedbackReads &
  RepeatKeyReads &
  ExpiringReads & { statusCounts(): Promise<StatusCounts> }

export type StatusCounts = {
  readonly agents: { readonly total: number; readonly active: number }
  readonly tasks: Readonly<Record<TaskStatus, number>>
  readonly paid: number
  readonly paidAtomic: bigint
}

/**
 * One transaction. Row locks are taken in this order: task, transfer, agent, reputations (sorted), inboxes (sorted). Statements
 * run in the order of the calls. A write without a result may still be in flight when its promise resolves: later statements see
 * it, and if it fails, they and the commit fail with it.
 */
export type Transaction = Reader &
  AgentWrites &
  DirectoryWrites &
  ReputationWrites &
  TaskWrites &
  BooksWrites &
  LedgerWrites &
  InboxWrites &
  MessageWrites &
  WebhookWrites &
  OwnerWrites &
  OwnerAgentWrites &
  IdentityWrites &
  MailWrites &
  TestingWrites &
  SkillWrites &
  FeedbackWrites &
  RepeatKeyWrites &
  ExpiringWrites & {
    /** Adds a portion of the changes to the totals; true when there may be more. */
    foldTallies(): Promise<boolean>
  }

export type Store = Reader &
  PublicTaskReads & {
    /** Commits what `work` did, or nothing. It runs `work` again after a deadlock or serialization failure. */
    transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
    /**
     * The same, and the commit may be shared with other changes that come at the same time and have none of these `subjects`: ids
     * of what `work` locks. If it is refused, or does anything that could meet another of them, it runs again alone.
     */
    sharedTransaction<T>(subjects: readonly string[], work: (tx: Transaction) => Promise<T>): Promise<T>
    sealing<T>(work: (tx: SealingTransaction) => Promise<T>): Promise<T>
    readonly trust: TrustStore
    identityOf(agentId: string): Promise<AgentIdentity | null>
    ready(): Promise<boolean>
    close(): Promise<void>
  }
