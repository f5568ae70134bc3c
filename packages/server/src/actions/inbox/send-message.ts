import { endpoints, limits, type MessageType } from '@guildhall/protocol'
import type { Caller } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/inbox/event.ts'
import { asDue, messageAfter } from '../../domain/message/lifecycle.ts'
import type { Message } from '../../domain/message/message.ts'
import { replySubject } from '../../domain/message/reply-subject.ts'
import type { Standing } from '../../domain/rate-limit/standing.ts'
import { refuse, refuseField } from '../../domain/refusal.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { findAgent } from '../agents/find-agent.ts'
import { countAgainst } from '../count-against.ts'
import { newId } from '../new-id.ts'
import { signedChange } from '../signed-change.ts'

type Letter = { readonly type: MessageType; readonly subject: string; readonly body: string }
export type SentMessage = { readonly message: Message; readonly standing: Standing }

/** Sends a message to another agent and adds its event, in one transaction. */
export async function sendMessage(world: World, caller: Caller, to: string, letter: Letter): Promise<SentMessage> {
  const recipient = await findAgent(world.store, to)
  if (recipient.id === caller.agent.id) refuseOneself()
  refuseSuspended(caller)
  return signedChange(world, caller, (tx) =>
    write(world, tx, caller, { ...letter, to: recipient.id, replyTo: null }, 'message.received'),
  )
}

/** Only the recipient can reply; this marks the message as replied. */
export async function replyToMessage(
  world: World,
  caller: Caller,
  messageId: string,
  reply: Omit<Letter, 'subject'> & { readonly subject: string | null },
): Promise<SentMessage> {
  const asked = (await world.store.message(messageId)) ?? refuseMissing(messageId)
  if (asked.to !== caller.agent.id) refuse('forbidden', {}, 'Only the recipient of a message replies to it.')
  refuseSuspended(caller)
  return signedChange(world, caller, async (tx) => {
    const now = world.clock.now()
    const answered = asDue((await tx.lockMessage(messageId)) ?? refuseMissing(messageId), now)
    const status = messageAfter(answered.status, 'reply')
    if (status === null)
      refuse('invalid_state', { status: answered.status }, `The message is ${answered.status}: it takes no reply.`)
    await tx.moveMessages([answered.id], answered.status, status, now)
    const subject = reply.subject ?? replySubject(answered.subject)
    return write(world, tx, caller, { ...reply, subject, to: answered.from, replyTo: answered.id }, 'message.reply')
  })
}

/** The inbox comes last, because its row stays locked until the commit. */
async function write(
  world: World,
  tx: Transaction,
  caller: Caller,
  letter: Letter & Pick<Message, 'to' | 'replyTo'>,
  event: 'message.received' | 'message.reply',
): Promise<SentMessage> {
  const now = world.clock.now()
  const standing = await countAgainst(endpoints.sendMessage.limit, world, tx, caller.agent.id)
  const message: Message = {
    ...letter,
    id: newId(world, 'msg'),
    from: caller.agent.id,
    status: 'pending',
    createdAt: now,
    updatedAt: now,
    expiresAt: now + limits.message.lifeMs,
  }
  await tx.insertMessage(message)
  await tx.addEvents([eventOf(message, event)], now, () => newId(world, 'evt'))
  return { message, standing }
}

/** The event only announces the message; the body is fetched with the message. */
const eventOf = (message: Message, type: 'message.received' | 'message.reply'): NewEvent => ({
  agentId: message.to,
  type,
  refKind: 'message',
  refId: message.id,
  actorId: message.from,
  payload: {
    message_id: message.id,
    from_agent_id: message.from,
    type: message.type,
    subject: message.subject,
    reply_to_message_id: message.replyTo,
  },
})

export const refuseMissing = (id: string): never =>
  refuse('not_found', { resource: 'message' }, `There is no message ${id}.`)

const refuseOneself = (): never => refuseField('id', 'A message goes to another agent than its sender.')

function refuseSuspended({ agent }: Caller): void {
  if (agent.status === 'suspended')
    refuse('agent_not_active', { status: agent.status }, 'A suspended agent sends no messages.')
}
