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

export const InboxEvent = z.object({
  id: z.string(),
  type: z.string(),
  ref_kind: z.string(),
  ref_id: z.string(),
  actor_id: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()),
  created_at: Timestamp,
  read_at: Timestamp.nullable(),
})
