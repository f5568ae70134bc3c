import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EmailAddress, normaliseEmail } from './owner.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

describe('a mail address', () => {
  test.each([
    ['ada@example.org', 'ada@example.org'],
    ['  Ada.Lovelace+hall@EXAMPLE.org ', 'ada.lovelace+hall@example.org'],
    ["o'brien@example.co.uk", "o'brien@example.co.uk"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('%s is kept as %s', (text, kept) => expect(normaliseEmail(text)).toBe(kept))

  test.each([
    '',
    'ada',
    '@example.org',
    'ada@',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@example',
    'ada@example..org',
    'ada@-example.org',
    '.ada@example.org',
    'ada..b@example.org',
    'ada@exam ple.org',
    'ada@example.org\r\nBcc: eve@example.org',
    'ada@example.org, eve@example.org',
    'ada@example.org>,<eve@example.org',
    'Ada <ada@example.org>',
    '"ada b"@example.org',
    'a\0da@example.org',
    'eve@example.org@evil.example/',
    'ädä@example.org',
    'ada@example.org:25',
    'ada@user@example.org',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example.org`,
    `${'a'.repeat(10_000)}@example.org`,
    `a@${'a.'.repeat(5_000)}org`,
  ])('%j is none', (text) => {
    expect(normaliseEmail(text)).toBeNull()
    expect(EmailAddress.safeParse(text).success).toBe(false)
  })

  test('is judged quickly, however long it is', () => {
    // The processor's time, not the clock's: other programs may keep this one waiting.
    const began = process.threadCpuUsage()
    for (const text of ['!'.repeat(50_000), `${'a.'.repeat(25_000)}@`, `a@${'-'.repeat(50_000)}`]) normaliseEmail(text)
    expect(process.threadCpuUsage(began).user / 1_000).toBeLessThan(500)
  })
})

test('any text is refused or has one stored form, which cannot add a header or a recipient', () => {
  const texts = fc.oneof(
    fc.string({ unit: character }),
    fc.emailAddress(),
    fc.tuple(fc.string({ unit: 'grapheme' }), fc.domain()).map((parts) => parts.join('@')),
    fc
      .tuple(fc.emailAddress(), fc.constantFrom('\r\nBcc: a@b.example', ', c@d.example', ' <e@f.example>', '\0'))
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const email = normaliseEmail(text)
      if (email === null) return
      expect(normaliseEmail(email)).toBe(email)
      expect(email).toMatch(/^[!-~]+$/)
      expect(email).not.toMatch(/[\s,;:<>()[\]"\\]/)
      expect(email.split('@')).toHaveLength(2)
    }),
  )
})
