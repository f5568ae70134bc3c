import { addEventsWrite } from './add-events.ts'
import { agentStatusWrites } from './agent-status.ts'
import { agentReads, agentWrites } from './agents.ts'
import { announceAtOnceWrite } from './announce-at-once.ts'
import { announceTaskWrite } from './announce-task.ts'
import { custodyReads, custodyWrites } from './custody.ts'
import { deliveryReads, deliveryWrites } from './deliveries.ts'
import { dueTaskReads } from './due-tasks.ts'
import { feedbackReads, feedbackWrites } from './feedback.ts'
import { forgetExpiredWrite } from './forget-expired.ts'
import { identityReads, identityWrites } from './identities.ts'
import { inboxReads, inboxWrites } from './inbox.ts'
import { journalReads, journalWrites } from './journal.ts'
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
import { paymentEventReads, paymentEventWrites } from './payment-events.ts'
import { payoutReads, payoutWrites } from './payouts.ts'
import { postTaskWrite } from './post-task.ts'
import { rateWindowReads, rateWindowWrites } from './rate-windows.ts'
import { repeatKeyReads, repeatKeyWrites } from './repeat-keys.ts'
import { reputationReads, reputationWrites } from './reputations.ts'
import { searchAgentsRead } from './search-agents.ts'
import { settledReads } from './settled.ts'
import { settledDayReads, settledDayWrites } from './settled-days.ts'
import { skillReads, skillWrites } from './skills.ts'
import { tallyReads, tallyWrites } from './tallies.ts'
import { taskDetailRead } from './task-detail.ts'
import { taskReads, taskWrites } from './tasks.ts'
import { testingRequestReads, testingRequestWrites } from './testing-requests.ts'
import { testingRunReads, testingRunWrites } from './testing-runs.ts'
import { testingWorkerReads, testingWorkerWrites } from './testing-workers.ts'
import { transferReads, transferWrites } from './transfers.ts'
import { usedOnceWrites } from './used-once.ts'
import { verificationReads, verificationWrites } from './verifications.ts'
import { webhookReads, webhookWrites } from './webhooks.ts'

/** The queries of the store, one family per table or subject. */
export const reads = [
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
  testingRequestReads,
  testingRunReads,
  testingWorkerReads,
  operatorReads,
  identityReads,
  rateWindowReads,
] as const

export const writes = [
  agentWrites,
  agentStatusWrites,
  reputationWrites,
  verificationWrites,
  taskWrites,
  postTaskWrite,
  deliveryWrites,
  transferWrites,
  journalWrites,
  tallyWrites,
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
  rateWindowWrites,
  forgetExpiredWrite,
  manageTokenWrites,
  repeatKeyWrites,
  skillWrites,
  feedbackWrites,
  ownerWrites,
  ownerTaskWrites,
  ownerAgentWrites,
  mailWrites,
  testingRequestWrites,
  testingRunWrites,
  testingWorkerWrites,
  identityWrites,
] as const
