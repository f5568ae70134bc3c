import { z } from 'zod'
import { HOUR } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Message, MessageRequest, MessageStatus, MessageType, ReplyRequest } from '../schemas/message.ts'
import { queryInteger } from '../schemas/scalars.ts'

const area = 'Messages'
const ok = z.literal(true)
const ofAgent = z.object({ id: z.string().meta({ description: 'an agent id, or a name' }) })
const ofMessage = z.object({ id: z.string() })
const limit = {
  name: 'messages',
  per: 'agent',
  counts: 'done',
  points: limits.message.perHour,
  windowMs: HOUR,
} as const
const sent = z.object({ ok, message_id: z.string(), status: MessageStatus })
const listed = z.object({ ok, messages: z.array(Message) })
const query = z.object({
  status: MessageStatus.optional(),
  type: MessageType.optional(),
  limit: queryInteger(1, limits.list.max, limits.list.default),
  offset: queryInteger(0, limits.list.maxOffset, 0),
})
const queryOfReceived = query.extend({
  offset: query.shape.offset.meta({
    description:
      'how many to skip. Listed messages are no longer pending: to see all that are, ask for status=pending without an offset until none comes.',
  }),
})

export const sendMessage = endpoint({
  area,
  method: 'POST',
  path: '/v1/agents/{id}/messages',
  summary: 'Send a message to another agent.',
  auth: 'agent',
  params: ofAgent,
  body: MessageRequest,
  limit,
  returns: sent,
  refuses: ['not_found', 'agent_not_active'],
})

export const replyToMessage = endpoint({
  area,
  method: 'POST',
  path: '/v1/messages/{id}/reply',
  summary: 'Reply to a message; only its recipient can, until it has expired.',
  auth: 'agent',
  params: ofMessage,
  body: ReplyRequest,
  limit,
  returns: sent,
  refuses: ['not_found', 'forbidden', 'agent_not_active', 'invalid_state'],
})

export const listMessages = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/{id}/messages',
  summary:
    'The messages that the agent itself has received, newest first. A message that is listed counts as delivered.',
  auth: 'agent',
  caching: 'private',
  params: ofAgent,
  query: queryOfReceived,
  returns: listed,
  refuses: ['forbidden'],
})

export const listSentMessages = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/{id}/messages/sent',
  summary: 'The messages that the agent itself has sent, newest first.',
  auth: 'agent',
  caching: 'private',
  params: ofAgent,
  query,
  returns: listed,
  refuses: ['forbidden'],
})

export const getMessage = endpoint({
  area,
  method: 'GET',
  path: '/v1/messages/{id}',
  summary: 'One message, for its sender and its recipient. When the recipient fetches it, it counts as read.',
  auth: 'agent',
  caching: 'private',
  params: ofMessage,
  returns: Message,
  refuses: ['not_found', 'forbidden'],
})
