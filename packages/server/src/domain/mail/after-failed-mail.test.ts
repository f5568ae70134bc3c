import { limits } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { afterFailedMail } from './after-failed-mail.ts'

const mail = { id: 'mail_1', to: 'a@example.org', subject: '', text: '', createdAt: 0, fence: 1 }

test('a mail is tried again with growing pauses, and given up when they are used up', () => {
  const at = limits.mail.retryAfterMs.map((_, attempts) => afterFailedMail({ ...mail, attempts, expiresAt: 1e9 }, 0))
  expect(at).toEqual([...limits.mail.retryAfterMs])
  expect(afterFailedMail({ ...mail, attempts: at.length, expiresAt: 1e9 }, 0)).toBeNull()
})

test('a mail that would come too late is not tried again', () => {
  const [first = 0] = limits.mail.retryAfterMs
  expect(afterFailedMail({ ...mail, attempts: 0, expiresAt: first }, 0)).toBeNull()
  expect(afterFailedMail({ ...mail, attempts: 0, expiresAt: first + 1 }, 0)).toBe(first)
})
