import { expect, test } from 'vitest'
import { inboxOf } from './inbox-of.ts'

test.each([
  ['ada@example.org', 'ada@example.org'],
  ['ada+hall@example.org', 'ada@example.org'],
  ['ada+hall+2@example.org', 'ada@example.org'],
  ['ada.b+@example.org', 'ada.b@example.org'],
  ['+ada@example.org', '+ada@example.org'],
])('%s counts as %s', (email, inbox) => expect(inboxOf(email)).toBe(inbox))
