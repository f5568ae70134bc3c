import type { MessageStatus } from '@guildhall/protocol'
import type { Caller } from '../../domain/caller.ts'
import { asDue, type MessageTrigger, messageAfter } from '../../domain/message/lifecycle.ts'
import type { Message } from '../../domain/message/message.ts'
import { refuse } from '../../domain/refusal.ts'
import type { MessageFilter } from '../../ports/message-store.ts'
import type { World } from '../../ports/world.ts'
import { refuseMissing } from './send-message.ts'

/** One message, for its parties only. Fetching it as the recipient marks it as read. */
export async function readMessage(world: World, caller: Caller, id: string): Promise<Message> {
  const message = (await world.store.message(id)) ?? refuseMissing(id)
  const isRecipient = message.to === caller.agent.id
  if (!isRecipient && message.from !== caller.agent.id)
    refuse('forbidden', {}, 'A message is read by its sender and its recipient only.')
  if (!isRecipient) return asDue(message, world.clock.now())
  return (await moveAll(world, [message], 'fetched'))[0] ?? message
}

/**
 * A page of a box. Listing marks a recipient's messages as delivered; a list filtered by status still shows the status that was
 * asked for.
 */
export async function listMessages(world: World, filter: MessageFilter): Promise<readonly Message[]> {
  const found = await world.store.listMessages(filter)
  if (filter.box === 'sent') return found.map((message) => asDue(message, world.clock.now()))
  const shown = await moveAll(world, found, 'shown')
  return filter.status === null ? shown : found
}

/** The events of these messages were pushed to their recipients. */
export async function notePushed(world: World, ids: readonly string[]): Promise<void> {
  const [from, to] = ['pending', messageAfter('pending', 'shown')] as const
  if (ids.length > 0 && to !== null)
    await world.store.transaction((tx) => tx.moveMessages(ids, from, to, world.clock.now()))
}

/** Applies the lifecycle to each message and writes only what changes. */
async function moveAll(
  world: World,
  messages: readonly Message[],
  trigger: MessageTrigger,
): Promise<readonly Message[]> {
  const now = world.clock.now()
  const current = messages.map((message) => asDue(message, now))
  const moves = Map.groupBy(current, ({ status }) => status)
  const changed = [...moves].flatMap(([from, members]) => {
    const to = messageAfter(from, trigger)
    return to === null ? [] : [{ from, to, ids: members.map(({ id }) => id) }]
  })
  if (changed.length === 0) return current
  await world.store.transaction(async (tx) => {
    for (const { from, to, ids } of changed) await tx.moveMessages(ids, from, to, now)
  })
  const after = new Map<MessageStatus, MessageStatus>(changed.map(({ from, to }) => [from, to]))
  return current.map((message) => {
    const status = after.get(message.status)
    return status === undefined ? message : { ...message, status, updatedAt: now }
  })
}
