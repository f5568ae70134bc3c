import type { MessageStatus } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'
import type { Message } from './message.ts'

/** `shown`: listed to its recipient, or its event pushed to them; `fetched`: its recipient asked for it. */
export type MessageTrigger = 'shown' | 'fetched' | 'reply' | 'expires'

/** A trigger that a state does not name changes nothing there. docs/states.md is printed from it. */
export const messageLifecycle: Readonly<
  Record<MessageStatus, Readonly<Partial<Record<MessageTrigger, MessageStatus>>>>
> = {
  pending: { shown: 'delivered', fetched: 'read', reply: 'replied', expires: 'expired' },
  delivered: { fetched: 'read', reply: 'replied', expires: 'expired' },
  read: { reply: 'replied', expires: 'expired' },
  replied: { reply: 'replied' },
  expired: {},
}

/** The status after a trigger; null when the state does not know the trigger. */
export const messageAfter = (status: MessageStatus, trigger: MessageTrigger): MessageStatus | null =>
  messageLifecycle[status][trigger] ?? null

/** The message with its expiry applied, even if the timer has not stored it yet. */
export function asDue(message: Message, now: Instant): Message {
  const expired = now >= message.expiresAt ? messageAfter(message.status, 'expires') : null
  return expired === null ? message : { ...message, status: expired, updatedAt: message.expiresAt }
}
