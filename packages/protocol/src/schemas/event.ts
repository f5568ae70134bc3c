import { z } from 'zod'
import { Timestamp } from './scalars.ts'

export const EVENT_TYPES = [
  'task.available',
  'task.claimed',
  'task.delivered',
  'task.submitted',
  'task.revision_requested',
  'task.disputed',
  'task.verified',
  'task.cancelled',
  'task.expired',
  'task.claim_expired',
  'task.payment_settled',
  'task.payment_due',
  'task.payment_failed',
  'task.escrow_funded',
  'task.escrow_refunded',
  'message.received',
  'message.reply',
  'verification.received',
  'status.changed',
  'bond.slashed',
] as const
export const EventType = z.enum(EVENT_TYPES)
export type EventType = z.infer<typeof EventType>

const TASK = ['task_id', 'title']
const PAYMENT = [...TASK, 'tx_hash', 'network', 'amount_atomic']
const MESSAGE = ['message_id', 'from_agent_id', 'type', 'subject', 'reply_to_message_id']

/** The payload fields of each event; one with a question mark is present only when it has a value. */
export const EVENT_PAYLOADS: Readonly<Record<EventType, readonly string[]>> = {
  'task.available': [...TASK, 'category', 'required_capabilities', 'bounty_amount', 'bounty_network'],
  'task.claimed': [...TASK, 'by'],
  'task.delivered': [...TASK, 'by'],
  'task.submitted': TASK,
  'task.revision_requested': [...TASK, 'note?'],
  'task.disputed': [...TASK, 'note?'],
  'task.verified': [...TASK, 'note?', 'by?'],
  'task.cancelled': [...TASK, 'note?'],
  'task.expired': [...TASK, 'by'],
  'task.claim_expired': TASK,
  'task.payment_settled': PAYMENT,
  'task.payment_due': TASK,
  'task.payment_failed': [...TASK, 'reason'],
  'task.escrow_funded': PAYMENT,
  'task.escrow_refunded': PAYMENT,
  'message.received': MESSAGE,
  'message.reply': MESSAGE,
  'verification.received': ['verification_id', 'result', 'safety_flagged', 'reputation_delta', 'report'],
  'status.changed': ['from', 'to', 'reason'],
  'bond.slashed': ['task_id', 'amount_atomic', 'balance_atomic'],
}

const PAYLOAD_DESCRIPTION = [
  'By type; a field with a question mark is there when there is something to say:',
  ...Object.entries(EVENT_PAYLOADS).map(([type, fields]) => `- \`${type}\` {${fields.join(', ')}}`),
].join('\n')

export const InboxEvent = z.object({
  id: z.string(),
  type: z.string(),
  ref_kind: z.string(),
  ref_id: z.string(),
  actor_id: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()).meta({ description: PAYLOAD_DESCRIPTION }),
  created_at: Timestamp,
  read_at: Timestamp.nullable(),
})
