import type { FigureStore } from '../ports/figure-store.ts'
import type { Reader, Store, Transaction } from '../ports/store.ts'
import { addEventsWrite } from './add-events.ts'
import { agentStatusWrites } from './agent-status.ts'
import { agentReads, agentWrites } from './agents.ts'
import { announceTaskWrite } from './announce-task.ts'
import { openPool, type PoolOptions } from './connect.ts'
import { type Connection, connectionOfPool } from './connection.ts'
import { custodyReads, custodyWrites } from './custody.ts'
import { deliveryReads, deliveryWrites } from './deliveries.ts'
import { dueTaskReads } from './due-tasks.ts'
import { feedbackReads, feedbackWrites } from './feedback.ts'
import { figureStore } from './figures.ts'
import { identityReads, identityWrites } from './identities.ts'
import { inboxReads, inboxWrites } from './inbox.ts'
import { journalWrites } from './journal.ts'
import { knownWordsReads } from './known-words.ts'
import { ledgerReads, ledgerWrites } from './ledger.ts'
import { listTasksRead } from './list-tasks.ts'
import { mailReads, mailWrites } from './mails.ts'
import { manageTokenReads, manageTokenWrites } from './manage-tokens.ts'
import { merkleNodesRead } from './merkle-nodes.ts'
import { messageReads, messageWrites } from './messages.ts'
import { operatorReads } from './operator-reads.ts'
import { ownerAgentReads, ownerAgentWrites } from './owner-agents.ts'
import { ownerTaskReads, ownerTaskWrites } from './owner-tasks.ts'
import { ownerReads, ownerWrites } from './owners.ts'
import { passingWrites } from './passing.ts'
import { paymentEventReads, paymentEventWrites } from './payment-events.ts'
import { payoutReads, payoutWrites } from './payouts.ts'
import { postTaskWrite } from './post-task.ts'
import { whyNotReady } from './readiness.ts'
import { repeatKeyReads, repeatKeyWrites } from './repeat-keys.ts'
import { reputationReads, reputationWrites } from './reputations.ts'
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

const readerOn = (connection: Connection): Reader => ({
  ...agentReads(connection),
  ...searchAgentsRead(connection),
  ...knownWordsReads(connection),
  ...reputationReads(connection),
  ...verificationReads(connection),
  ...taskReads(connection),
  ...taskDetailRead(connection),
  ...listTasksRead(connection),
  ...ownerTaskReads(connection),
  ...settledReads(connection),
  ...settledDayReads(connection),
  ...dueTaskReads(connection),
  ...deliveryReads(connection),
  ...transferReads(connection),
  ...paymentEventReads(connection),
  ...payoutReads(connection),
  ...custodyReads(connection),
  ...inboxReads(connection),
  ...messageReads(connection),
  ...webhookReads(connection),
  ...ledgerReads(connection),
  ...merkleNodesRead(connection),
  ...tallyReads(connection),
  ...manageTokenReads(connection),
  ...repeatKeyReads(connection),
  ...skillReads(connection),
  ...feedbackReads(connection),
  ...ownerReads(connection),
  ...ownerAgentReads(connection),
  ...mailReads(connection),
  ...testingReads(connection),
  ...operatorReads(connection),
  ...identityReads(connection),
})

const transactionOn = (connection: Connection): Transaction => ({
  ...readerOn(connection),
  ...agentWrites(connection),
  ...agentStatusWrites(connection),
  ...reputationWrites(connection),
  ...verificationWrites(connection),
  ...taskWrites(connection),
  ...postTaskWrite(connection),
  ...deliveryWrites(connection),
  ...transferWrites(connection),
  ...journalWrites(connection),
  ...paymentEventWrites(connection),
  ...payoutWrites(connection),
  ...settledDayWrites(connection),
  ...custodyWrites(connection),
  ...addEventsWrite(connection),
  ...announceTaskWrite(connection),
  ...inboxWrites(connection),
  ...messageWrites(connection),
  ...webhookWrites(connection),
  ...ledgerWrites(connection),
  ...usedOnceWrites(connection),
  ...passingWrites(connection),
  ...manageTokenWrites(connection),
  ...repeatKeyWrites(connection),
  ...skillWrites(connection),
  ...feedbackWrites(connection),
  ...ownerWrites(connection),
  ...ownerTaskWrites(connection),
  ...ownerAgentWrites(connection),
  ...mailWrites(connection),
  ...testingWrites(connection),
  ...identityWrites(connection),
})

type PostgresStore = Store & {
  readonly figures: FigureStore
  missingSettings(): Promise<readonly string[]>
  /** The time by the server's own clock, to hold a node's against; nothing is decided by it. */
  clock(): Promise<number>
  whyNotReady(): Promise<string | null>
}

/** The store on PostgreSQL. The schema must have been migrated; `ready` says whether it has. */
export function createPostgresStore(options: PoolOptions): PostgresStore {
  const pool = openPool(options)
  // Those who wait for their seal would keep the sealer waiting for a connection.
  const sealers = openPool({ ...options, maxConnections: 2 })
  const connection = connectionOfPool(pool)
  const whyNot = () => whyNotReady(connection, options.maxLagMs ?? null)
  return {
    ...readerOn(connection),
    ...publicTaskReads(connection),
    transaction: (work) => runTransaction(pool, (tx) => work(transactionOn(tx))),
    trust: trustStore(connection),
    figures: figureStore(connection, pool),
    sealing: (work) => runTransaction(sealers, (tx) => work(sealingTransaction(tx))),
    missingSettings: () => missingSettings(connection),
    clock: () => serverClock(connection),
    whyNotReady: whyNot,
    ready: async () => (await whyNot()) === null,
    async close() {
      await Promise.all([pool.end(), sealers.end()])
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
