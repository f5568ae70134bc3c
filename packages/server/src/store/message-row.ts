import type { MessageStatus, MessageType } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { Message } from '../domain/message/message.ts'
import { table } from './table.ts'

export type MessageRow = {
  readonly id: string
  readonly from_agent_id: string
  readonly to_agent_id: string
  readonly type: MessageType
  readonly subject: string
  readonly body: string
  readonly status: MessageStatus
  readonly reply_to_message_id: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly expires_at: number
}

export const messageTable = table<MessageRow, Message>(
  'messages',
  {
    id: ({ id }) => id,
    from_agent_id: ({ from }) => from,
    to_agent_id: ({ to }) => to,
    type: ({ type }) => type,
    subject: ({ subject }) => subject,
    body: ({ body }) => body,
    status: ({ status }) => status,
    reply_to_message_id: ({ replyTo }) => replyTo,
    created_at: ({ createdAt }) => isoTime(createdAt),
    updated_at: ({ updatedAt }) => isoTime(updatedAt),
    expires_at: ({ expiresAt }) => isoTime(expiresAt),
  },
  (row) => ({
    id: row.id,
    from: row.from_agent_id,
    to: row.to_agent_id,
    type: row.type,
    subject: row.subject,
    body: row.body,
    status: row.status,
    replyTo: row.reply_to_message_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }),
)
