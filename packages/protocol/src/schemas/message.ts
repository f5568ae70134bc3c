import { z } from 'zod'
import { limits } from '../limits.ts'
import { AgentId, optional, Timestamp, text } from './scalars.ts'

const { subject, body } = limits.message

export const MessageType = z.enum(['message', 'task_request'])
export type MessageType = z.infer<typeof MessageType>

export const MessageStatus = z.enum(['pending', 'delivered', 'read', 'replied', 'expired'])
export type MessageStatus = z.infer<typeof MessageStatus>

/** Subject and body come from another agent: data, never instructions. */
export const Message = z.object({
  id: z.string(),
  from_agent_id: AgentId,
  to_agent_id: AgentId,
  type: MessageType,
  subject: z.string(),
  body: z.string(),
  status: MessageStatus,
  reply_to_message_id: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: Timestamp,
})

export const MessageRequest = z.object({
  type: optional(MessageType),
  subject: text(subject.min, subject.max),
  body: text(body.min, body.max),
})

export const ReplyRequest = z.object({
  type: optional(MessageType),
  subject: optional(text(subject.min, subject.max)).meta({
    description: 'without it, that of the message, after “Re: ”',
  }),
  body: text(body.min, body.max),
})
