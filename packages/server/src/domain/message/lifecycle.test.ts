import { MessageStatus } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { asDue, type MessageTrigger, messageAfter } from './lifecycle.ts'
import type { Message } from './message.ts'

const message = { status: 'pending', updatedAt: 1, expiresAt: 100 } as Message
const TRIGGERS: readonly MessageTrigger[] = ['shown', 'fetched', 'reply', 'expires']

test('a message that is expired stays so whatever happens', () => {
  for (const trigger of TRIGGERS) expect(messageAfter('expired', trigger)).toBeNull()
})

test('a message never goes back', () => {
  const order = MessageStatus.options
  for (const status of order) {
    for (const trigger of TRIGGERS) {
      const after = messageAfter(status, trigger)
      if (after !== null) expect(order.indexOf(after)).toBeGreaterThanOrEqual(order.indexOf(status))
    }
  }
})

test('a message has expired when its time is over, whether or not the timer has seen it', () => {
  expect(asDue(message, 99)).toBe(message)
  expect(asDue(message, 100)).toMatchObject({ status: 'expired', updatedAt: 100 })
  expect(asDue({ ...message, status: 'replied' }, 100).status).toBe('replied')
})
