import { expect, test } from 'vitest'
import { isElsewhere, wordsIn } from './words-in.ts'

test.each([
  [
    { error: 'bounty_below_minimum', message: 'It is `minimum_usdc`.', minimum_usdc: '0.10' },
    'The bounty is below the minimum of 0.10 USDC.',
  ],
  [
    { error: 'expiry_window_not_allowed', message: 'Send at most `max_days`.', max_days: 60 },
    'You can keep a task open for at most 60 days.',
  ],
  [
    { error: 'bad_request', message: 'See `issues`.', issues: [{ path: 'bounty.amount', message: 'At most 9.' }] },
    'Bounty: At most 9.',
  ],
  [
    { error: 'bad_request', issues: [{ path: 'required_capabilities.0', message: 'Too long.' }] },
    'Required capabilities: Too long.',
  ],
  [{ error: 'payment_invalid', message: 'Not enough.', reason: 'why' }, 'Not enough. (why)'],
  [{ error: 'insufficient_funds', message: 'Not enough.', reason: 'insufficient_funds' }, 'Not enough.'],
  [{}, 'The service gave no answer that can be understood.'],
])('a refusal is told in words for people: %j', (body, words) => {
  expect(wordsIn(body)).toBe(words)
})

test('whoever has to do something in another place first is told so', () => {
  const body = { error: 'auth_required', message: 'Send the cookie.' }
  expect([isElsewhere(body), isElsewhere({ error: 'bad_request' })]).toEqual([true, false])
  expect(wordsIn(body)).toContain('Sign in in another tab')
})
