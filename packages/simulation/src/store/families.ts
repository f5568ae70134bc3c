import type { CustodyWrites } from '@guildhall/server/parts'
import { agentReads, agentWrites } from './agents.ts'
import { bondReads, bondWrites } from './bonds.ts'
import { positionReads, positionWrites } from './custody-position.ts'
import { deliveryReads, deliveryWrites } from './deliveries.ts'
import { inboxReads, inboxWrites } from './inbox.ts'
import { journalWrites } from './journal.ts'
import { ledgerReads, ledgerWrites } from './ledger.ts'
import { movementReads, movementWrites } from './movements.ts'
import { payoutReads, payoutWrites } from './payouts.ts'
import { reputationWrites } from './reputations.ts'
import type { Ask, Statements } from './statements.ts'
import { strayReads, strayWrites } from './strays.ts'
import type { Tables } from './tables.ts'
import { taskReads, taskWrites } from './tasks.ts'
import { transferReads, transferWrites } from './transfers.ts'
import { usedOnceWrites } from './used-once.ts'
import { watchReads, watchWrites } from './watches.ts'

/** The reads of the actions, on rows in memory, in the families of the real store. Each is one statement with one snapshot. */
export const readsOf = (tables: Tables, ask: Ask) => ({
  ...agentReads(tables, ask),
  ...bondReads(tables, ask),
  ...taskReads(tables, ask),
  ...deliveryReads(tables, ask),
  ...transferReads(tables, ask),
  ...payoutReads(tables, ask),
  ...watchReads(tables, ask),
  ...movementReads(tables, ask),
  ...strayReads(tables, ask),
  ...positionReads(tables, ask),
  ...inboxReads(tables, ask),
  ...ledgerReads(tables, ask),
})

export const writesOf = (tables: Tables, statements: Statements) => ({
  ...usedOnceWrites(tables, statements),
  ...agentWrites(tables, statements),
  ...bondWrites(tables, statements),
  ...reputationWrites(tables, statements),
  ...taskWrites(tables, statements),
  ...deliveryWrites(tables, statements),
  ...transferWrites(tables, statements),
  ...payoutWrites(tables, statements),
  ...journalWrites(tables, statements),
  ...custodyWrites(tables, statements),
  ...inboxWrites(tables, statements),
  ...ledgerWrites(tables, statements),
})

const custodyWrites = (tables: Tables, statements: Statements): CustodyWrites => ({
  ...watchWrites(tables, statements),
  ...movementWrites(tables, statements),
  ...strayWrites(tables, statements),
  ...positionWrites(tables, statements),
})
