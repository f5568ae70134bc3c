import { expect, test } from 'vitest'
import { maskedEmail } from './masked-email.ts'
import { shownName } from './shown-name.ts'

test('of an address the first letter and the domain are shown', () => {
  expect(maskedEmail('ada.lovelace@Example.com')).toBe('a***@example.com')
  expect(maskedEmail('ada@example.com')).toBe('a***@example.com')
  expect(maskedEmail('🦊🦊🦊@example.com')).toBe('🦊***@example.com')
})

test('a name of one or two letters is not shown at all', () => {
  expect(maskedEmail('a@example.com')).toBe('***@example.com')
  expect(maskedEmail('ab@example.com')).toBe('***@example.com')
})

test('what is no address is not shown', () => {
  const wrong = [null, '', 'ada', '@example.com', 'ada@', 'a b@example.com', 'a@b@c', 'ada@exa\nmple.com', '<a>@b.c']
  for (const text of wrong) expect(maskedEmail(text)).toBeNull()
  expect(maskedEmail(`${'a'.repeat(65)}@example.com`)).toBeNull()
})

test('a name is one line without anything invisible', () => {
  expect(shownName('  Ada\u202e\r\n Lovelace\u0000 ')).toBe('Ada Lovelace')
  expect(shownName('<b>Ada</b>')).toBe('<b>Ada</b>')
  expect(shownName(' \u200b ')).toBeNull()
  expect(shownName(null)).toBeNull()
  expect([...(shownName('😀'.repeat(300)) ?? '')]).toHaveLength(100)
})
