import { IdentityLinkStatus, limits } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import type { IdentityLink } from './identity-link.ts'
import { asDue, type IdentityLinkTrigger, linkAfter } from './lifecycle.ts'

const START = Date.UTC(2026, 0, 31)
const link = {
  status: 'pending',
  error: null,
  endedAt: null,
  createdAt: START,
  expiresAt: START + limits.identityLink.lifeMs,
} as IdentityLink
const TRIGGERS: readonly IdentityLinkTrigger[] = [
  'consent',
  'access_denied',
  'identity_taken',
  'identity_untrue',
  'expires',
]

test('a link that waits ends once, whatever ends it', () => {
  for (const status of IdentityLinkStatus.options) {
    for (const trigger of TRIGGERS) {
      const after = linkAfter({ ...link, status }, trigger, START)
      if (status === 'pending') expect(after?.endedAt).toBe(START)
      else expect(after).toBeNull()
    }
  }
})

test('consent links; a failed link says why, and no other does', () => {
  expect(linkAfter(link, 'consent', START)).toMatchObject({ status: 'linked', error: null })
  expect(linkAfter(link, 'expires', START)).toMatchObject({ status: 'expired', error: null })
  for (const error of ['access_denied', 'identity_taken', 'identity_untrue'] as const)
    expect(linkAfter(link, error, START)).toMatchObject({ status: 'failed', error })
})

test('a link waits for fifteen minutes, to the millisecond', () => {
  const end = START + 15 * 60_000
  expect(asDue(link, end - 1)).toBe(link)
  expect(asDue(link, end)).toMatchObject({ status: 'expired', endedAt: end })
  expect(asDue({ ...link, status: 'linked' }, end + 1).status).toBe('linked')
})
