import { isoTime } from '../../domain/instant.ts'
import type { Message } from '../../domain/message/message.ts'

export const messageView = (message: Message) => ({
  id: message.id,
  from_agent_id: message.from,
  to_agent_id: message.to,
  type: message.type,
  subject: message.subject,
  body: message.body,
  status: message.status,
  reply_to_message_id: message.replyTo,
  created_at: isoTime(message.createdAt),
  updated_at: isoTime(message.updatedAt),
  expires_at: isoTime(message.expiresAt),
})
