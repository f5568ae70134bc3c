import { endpoints } from '@guildhall/protocol'
import { ownAgent } from '../../actions/agents/own-agent.ts'
import { listMessages, readMessage } from '../../actions/inbox/read-messages.ts'
import { replyToMessage, type SentMessage, sendMessage } from '../../actions/inbox/send-message.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { standingHeader } from '../rate-limit.ts'
import { messageView } from '../views/message-view.ts'

type MessageHandlers = Pick<
  Handlers,
  'sendMessage' | 'replyToMessage' | 'listMessages' | 'listSentMessages' | 'getMessage'
>

const OWN_BOX = 'Messages are listed by their own agent only.'

export function messageHandlers(world: World): MessageHandlers {
  return {
    async sendMessage({ params, body, caller }) {
      const letter = { type: body.type ?? 'message', subject: body.subject, body: body.body } as const
      return sentAnswer(await sendMessage(world, caller, params.id, letter))
    },

    async replyToMessage({ params, body, caller }) {
      const reply = { type: body.type ?? 'message', subject: body.subject ?? null, body: body.body } as const
      return sentAnswer(await replyToMessage(world, caller, params.id, reply))
    },

    async listMessages({ params, query, caller }) {
      const agentId = await ownAgent(world, caller, params.id, OWN_BOX)
      return listAnswer(await listMessages(world, { ...filterOf(query), agentId, box: 'received' }))
    },

    async listSentMessages({ params, query, caller }) {
      const agentId = await ownAgent(world, caller, params.id, OWN_BOX)
      return listAnswer(await listMessages(world, { ...filterOf(query), agentId, box: 'sent' }))
    },

    getMessage: async ({ params, caller }) => ({ body: messageView(await readMessage(world, caller, params.id)) }),
  }
}

const sentAnswer = ({ message, standing }: SentMessage) => ({
  body: { ok: true, message_id: message.id, status: message.status } as const,
  headers: standingHeader(endpoints.sendMessage.limit, standing),
})

const listAnswer = (messages: Awaited<ReturnType<typeof listMessages>>) => ({
  body: { ok: true, messages: messages.map(messageView) } as const,
})

const filterOf = ({ status, type, limit, offset }: Parameters<MessageHandlers['listMessages']>[0]['query']) => ({
  status: status ?? null,
  type: type ?? null,
  limit,
  offset,
})
