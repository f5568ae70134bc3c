import { expect, test } from 'vitest'
import { replySubject } from './reply-subject.ts'

test('a reply takes the subject of its message, marked once and never too long', () => {
  expect(replySubject('Hello')).toBe('Re: Hello')
  expect(replySubject('Re: Hello')).toBe('Re: Hello')
  expect([...replySubject('😀'.repeat(200))]).toHaveLength(200)
})
