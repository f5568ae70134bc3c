import type { FigureStore } from '../ports/figure-store.ts'
import type { Store, Transaction } from '../ports/store.ts'
import { addEventsWrite } from './add-events.ts'
import { agentStatusWrites } from './agent-status.ts'
import { agentReads, agentWrites, callerReads } from './agents.ts'
import { announceAtOnceWrite } from './announce-at-once.ts'
import { announceTaskWrite } from './announce-task.ts'
import { openPools, type PoolOptions } from './connect.ts'
import { type Connection, connectionOfPool } from './connection.ts'
import { custodyReads, custodyWrites } from './custody.ts'
import { deliveryReads, deliveryWrites } from './deliveries.ts'
import { dueTaskReads } from './due-tasks.ts'
import { expiringReads, expiringWrites } from './expiring.ts'
import { feedbackReads, feedbackWrites } from './feedback.ts'
import { figureStore } from './figures.ts'
import { identityReads, identityWrites, profileIdentityRead } from './identities.ts'
import { inboxReads, inboxWrites } from './inbox.ts'
import { journalReads, journalWrites } from './journal.ts'
import { knownWordsReads } from './known-words.ts'
import { ledgerReads, ledgerWrites } from './ledger.ts'
import { listTasksRead } from './list-tasks.ts'
import { mailReads, mailWrites } from './mails.ts'
import { manageTokenReads, manageTokenWrites } from './manage-tokens.ts'
import { merkleNodesRead } from './merkle-nodes.ts'
import { messageReads, messageWrites } from './messages.ts'
import { offered, opened } from './opened.ts'
import { operatorReads } from './operator-reads.ts'
import { ownerAgentReads, ownerAgentWrites } from './owner-agents.ts'
import { ownerTaskReads, ownerTaskWrites } from './owner-tasks.ts'
import { ownerReads, ownerWrites } from './owners.ts'
import { paymentEventReads, paymentEventWrites } from './payment-events.ts'
import { payoutReads, payoutWrites } from './payouts.ts'
import { postTaskWrite } from './post-task.ts'
import { whyNotReady } from './readiness.ts'
import { repeatKeyReads, repeatKeyWrites } from './repeat-keys.ts'
import { profileReputationRead, reputationReads, reputationWrites } from './reputations.ts'
import { runTransaction } from './run-transaction.ts'
import { sealingTransaction } from './sealing.ts'
import { searchAgentsRead } from './search-agents.ts'
import { missingSettings } from './session-settings.ts'
import { settledReads } from './settled.ts'
import { settledDayReads, settledDayWrites } from './settled-days.ts'
import { skillReads, skillWrites } from './skills.ts'
import { tallyReads } from './tallies.ts'
import { publicTaskReads, taskDetailRead } from './task-detail.ts'
import { taskReads, taskWrites } from './tasks.ts'
import { testingReads, testingWrites } from './testing.ts'
import { transferReads, transferWrites } from './transfers.ts'
import { trustStore } from './trust.ts'
import { usedOnceWrites } from './used-once.ts'
import { verificationReads, verificationWrites } from './verifications.ts'
import { webhookReads, webhookWrites } from './webhooks.ts'

const reads = [
  agentReads,
  searchAgentsRead,
  knownWordsReads,
  reputationReads,
  verificationReads,
  taskReads,
  taskDetailRead,
  listTasksRead,
  ownerTaskReads,
  settledReads,
  settledDayReads,
  dueTaskReads,
  deliveryReads,
  transferReads,
  journalReads,
  paymentEventReads,
  payoutReads,
  custodyReads,
  inboxReads,
  messageReads,
  webhookReads,
  ledgerReads,
  merkleNodesRead,
  tallyReads,
  manageTokenReads,
  repeatKeyReads,
  skillReads,
  feedbackReads,
  ownerReads,
  ownerAgentReads,
  mailReads,
  testingReads,
  operatorReads,
  identityReads,
  expiringReads,
] as const

const writes = [
  agentWrites,
  agentStatusWrites,
  reputationWrites,
  verificationWrites,
  taskWrites,
  postTaskWrite,
  deliveryWrites,
  transferWrites,
  journalWrites,
  paymentEventWrites,
  payoutWrites,
  settledDayWrites,
  custodyWrites,
  addEventsWrite,
  announceAtOnceWrite,
  announceTaskWrite,
  inboxWrites,
  messageWrites,
  webhookWrites,
  ledgerWrites,
  usedOnceWrites,
  expiringWrites,
  manageTokenWrites,
  repeatKeyWrites,
  skillWrites,
  feedbackWrites,
  ownerWrites,
  ownerTaskWrites,
  ownerAgentWrites,
  mailWrites,
  testingWrites,
  identityWrites,
] as const

const transactionOn: (connection: Connection) => Transaction = opened([...reads, ...writes])

type PostgresStore = Store & {
  readonly figures: FigureStore
  missingSettings(): Promise<readonly string[]>
  /** The database's clock, to compare a node's clock with; no rule uses it. */
  clock(): Promise<number>
  whyNotReady(): Promise<string | null>
}

/** The store on PostgreSQL. The schema must have been migrated; `ready` says whether it has. */
export function createPostgresStore(options: PoolOptions): PostgresStore {
  const { readers, writers, sealers, all } = openPools(options)
  const connection = connectionOfPool(readers)
  const whyNot = () => whyNotReady(connection, options.maxLagMs ?? null)
  return {
    ...offered(reads, connection),
    ...callerReads(connection),
    ...profileReputationRead(connection),
    ...profileIdentityRead(connection),
    ...publicTaskReads(connection),
    transaction: (work) => runTransaction(writers, (tx) => work(transactionOn(tx))),
    trust: trustStore(connection),
    figures: figureStore(connection, [readers, writers]),
    sealing: (work) => runTransaction(sealers, (tx) => work(sealingTransaction(tx))),
    missingSettings: () => missingSettings(connection),
    clock: () => serverClock(connection),
    whyNotReady: whyNot,
    ready: async () => (await whyNot()) === null,
    async close() {
      await Promise.all(all.map((pool) => pool.end()))
    },
  }
}

async function serverClock(connection: Connection): Promise<number> {
  const row = await connection.first<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  )
  if (row === null) throw new Error('PostgreSQL did not tell the time.')
  return row.ms
}
