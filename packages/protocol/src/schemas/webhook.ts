import { z } from 'zod'
import { Timestamp } from './scalars.ts'

export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** The outcome of one event's delivery to the agent’s `webhook_url`. */
export const WebhookDelivery = z.object({
  event_id: z.string(),
  event_type: z.string(),
  cursor: z.string().meta({ description: 'the event’s place in the inbox, as in the inbox and the stream' }),
  status: DeliveryStatus,
  attempts: z.int(),
  last_error: z.string().nullable(),
  next_attempt_at: Timestamp.nullable(),
  ended_at: Timestamp.nullable(),
  created_at: Timestamp,
})
