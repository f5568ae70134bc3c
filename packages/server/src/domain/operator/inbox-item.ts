import { formatUsdc } from '@guildhall/protocol'
import type { Stray } from '../custody/stray.ts'
import type { Watch } from '../custody/watch.ts'
import type { Feedback } from '../feedback/feedback.ts'
import type { Instant } from '../instant.ts'
import type { Task } from '../task/task.ts'
import type { TestingRequest, TestingRun } from '../testing/request.ts'
import { isPayout, type Transfer } from '../transfer/transfer.ts'

/** The most urgent first. */
export const INBOX_KINDS = [
  'custody',
  'payouts',
  'payment',
  'stray',
  'test trouble',
  'test dispute',
  'test delivery',
  'test request',
  'dispute',
  'feedback',
] as const
export type InboxKind = (typeof INBOX_KINDS)[number]

/** Something that needs an operator, and the command that handles it. */
export type InboxItem = {
  readonly kind: InboxKind
  readonly id: string
  readonly since: Instant | null
  readonly text: string
  readonly command: string
}

const MOST_MISSED = 10

export const ofWatch = ({ network, trouble, missed, provenAt }: Watch): readonly InboxItem[] => [
  ...(trouble === null
    ? []
    : [{ kind: 'custody', id: network, since: provenAt, text: trouble, command: 'guildhall suspense list' } as const]),
  ...(missed < MOST_MISSED
    ? []
    : [
        {
          kind: 'custody',
          id: network,
          since: provenAt,
          text: `the last ${missed} looks at the escrow wallet came to nothing`,
          command: 'guildhall payouts status',
        } as const,
      ]),
]

export const ofPause = (reason: string | null): InboxItem => ({
  kind: 'payouts',
  id: 'payouts',
  since: null,
  text: `payouts are paused: ${reason ?? 'no reason given'}`,
  command: 'guildhall payouts resume',
})

export function ofTransfer({ id, purpose, authorization, taskId, state, lastError, createdAt }: Transfer): InboxItem {
  const { value, network, from, nonce } = authorization
  const whose = taskId === null ? '' : ` of ${taskId}`
  const path = taskId === null ? `payments/${network}/${from}/${nonce}` : `tasks/${taskId}/payment`
  const how = state === 'intended' ? 'is still on its way' : `is ${state}`
  return {
    kind: 'payment',
    id,
    since: createdAt,
    text: `the ${purpose}${whose}, ${formatUsdc(value)} USDC on ${network}, ${how}${lastError ? `: ${lastError}` : ''}`,
    command: isPayout(purpose) && state === 'intended' ? 'guildhall payouts status' : `curl …/v1/${path}`,
  }
}

export const ofStray = ({ id, amount, network, counterparty, seenAt }: Stray): InboxItem => ({
  kind: 'stray',
  id,
  since: seenAt,
  text: `${formatUsdc(amount)} USDC came unasked on ${network} from ${counterparty}`,
  command: `guildhall suspense return ${id}`,
})

export const ofRequest = ({ id, scope, email, confirmedAt }: TestingRequest): InboxItem => ({
  kind: 'test request',
  id,
  since: confirmedAt,
  text: `${email} wants ${scope.product_name} tested`,
  command: `guildhall testing show ${id}; guildhall testing approve ${id}`,
})

export const ofTrouble = ({ id, trouble, decidedAt }: TestingRequest): InboxItem => ({
  kind: 'test trouble',
  id,
  since: decidedAt,
  text: `its runs cannot be posted: ${trouble}`,
  command: `guildhall testing show ${id}`,
})

export const ofDelivery = ({ taskId, run, requestId }: TestingRun, task: Task): InboxItem => {
  const disputed = task.reviewState === 'disputed'
  return {
    kind: disputed ? 'test dispute' : 'test delivery',
    id: taskId,
    since: disputed ? task.disputedAt : task.submittedAt,
    text: `run ${run} of ${requestId} ${disputed ? 'is disputed' : 'is delivered'}`,
    command: disputed
      ? `guildhall testing cancel ${taskId}`
      : `guildhall testing delivery ${taskId}; guildhall testing accept ${taskId}`,
  }
}

export const ofDispute = ({ id, creator, disputedAt }: Task): InboxItem => ({
  kind: 'dispute',
  id,
  since: disputedAt,
  text: `its poster ${creator.id} disputes what was delivered; it is theirs to accept or cancel`,
  command: `curl …/v1/tasks/${id}`,
})

export const ofFeedback = ({ id, agentId, actualBehavior, createdAt }: Feedback): InboxItem => ({
  kind: 'feedback',
  id,
  since: createdAt,
  text: `${agentId ?? 'somebody'} reports: ${actualBehavior.slice(0, 100)}`,
  command: `guildhall feedback mark ${id} in_review`,
})
