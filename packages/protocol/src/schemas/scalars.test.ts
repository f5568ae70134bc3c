import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProfileRequest } from './agent.ts'
import { AtomicAmount, HttpUrl, queryInteger, queryList, text } from './scalars.ts'
import { CreateTaskRequest } from './task.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

const anything = fc.oneof(fc.string({ unit: character, maxLength: 40 }), fc.jsonValue())

describe('the length of a text', () => {
  test.each(['x', 'ß', 'é', '😀', '\u{1F3DB}', '\u0301'])('counts code points: %j', (character) => {
    for (const [count, fits] of [
      [0, false],
      [1, true],
      [200, true],
      [201, false],
    ] as const) {
      expect(text(1, 200).safeParse(character.repeat(count)).success, `${count}`).toBe(fits)
    }
  })

  test('is that of Array.from, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 12 }), (value) => {
        expect(text(2, 5).safeParse(value).success).toBe(Array.from(value).length >= 2 && Array.from(value).length <= 5)
      }),
    )
  })
})

describe('an address', () => {
  const url = HttpUrl(2_000)

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    '/path',
    'https:evil.example',
    'https:/evil.example',
    'https://good@evil.example/',
    'https://good:secret@evil.example/',
    'https://',
    'https://[::1',
    'https://a b.example',
    ' https://a.example',
    'ht\ntps://a.example',
    'ftp://a.example',
    'ws://a.example',
    'blob:https://a.example/x',
    'x'.repeat(10),
  ])('%j is none', (value) => {
    expect(url.safeParse(value).success).toBe(false)
  })

  test.each([
    'https://good.example\\@evil.example/',
    'https://good.example\\.evil.example/',
    'https://\\evil.example/',
    'https:///evil.example/',
    'https://@evil.example/',
    'https://good\t.example/',
    'https://good.example/\n',
    'https://good.example/a b',
    'https://good.example/\u2028',
    'https://good.example/\u202egpj.exe',
  ])('%j is none: readers in other languages find another host or path in it', (value) => {
    expect(url.safeParse(value).success).toBe(false)
  })

  test('far too long is none, also where URL.canParse and new URL disagree about it', () => {
    for (const letter of ['J', 'j', '\u0301'])
      expect(url.safeParse(`https://${letter.repeat(50_000)}`).success).toBe(false)
  })

  test.each([
    'https://a.example',
    'HTTPS://A.EXAMPLE:8443/b?c=@d#@e',
    'http://[2001:db8::1]:80/x@y',
    'https://a.example?q',
    'https://bücher.example/ä/%20',
  ])('%j is one', (value) => {
    expect(url.safeParse(value).success).toBe(true)
  })

  test('that is taken leads to http or https with no user in it, for any text', () => {
    const written = fc.oneof(
      anything,
      fc.domain().map((name) => `http://${name}/a?b=c#d`),
      fc.tuple(fc.constantFrom('', 'a@', 'a:b@', '@', ':@'), fc.domain()).map((at) => `https://${at.join('')}/`),
    )
    fc.assert(
      fc.property(written, (value) => {
        if (!url.safeParse(value).success) return
        const { protocol, username, password, hostname } = new URL(String(value))
        expect(String(value)).not.toMatch(/[\\\s]|^[^/]+\/\/([/?#]|[^/?#]*@)/)
        expect(['http:', 'https:']).toContain(protocol)
        expect([username, password]).toEqual(['', ''])
        expect(hostname).not.toBe('')
      }),
    )
  })
})

describe('a whole number in a query', () => {
  const number = queryInteger(1, 100, 20)

  test('has one spelling, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(anything, fc.integer().map(String), fc.constantFrom('1e1', '0x1', '+1', '01', ' 1', '1.0', '١')),
        (value) => {
          const read = number.safeParse(value)
          if (read.success) expect(String(read.data)).toBe(value)
        },
      ),
    )
    for (const value of ['1', '100']) expect(number.safeParse(value).success).toBe(true)
    for (const value of ['0', '101', '-1', '', '1e2', '9'.repeat(30)])
      expect(number.safeParse(value).success).toBe(false)
  })
})

test('a list in a query has as many items as commas and one, within its bounds', () => {
  const list = queryList(5, 3)
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ',', ' ', '😀') }), (value) => {
      const read = list.safeParse(value)
      const items = value.split(',').map((item) => item.trim())
      const fits =
        items.length <= 3 && items.every((item) => Array.from(item).length >= 1 && Array.from(item).length <= 5)
      expect(read.success).toBe(fits)
      if (read.success) expect(read.data).toEqual(items)
    }),
  )
})

test('atomic units have one spelling', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (units) => AtomicAmount.safeParse(String(units)).success),
  )
  for (const value of ['', '00', '01', '-1', '+1', ' 1', '1.0', '1e3', '0x1', '١', 1])
    expect(AtomicAmount.safeParse(value).success).toBe(false)
})

test('a list that is too long is refused in words, whatever it lists', () => {
  const profile = { name: 'Ada', description: 'Counts.', capabilities: Array.from({ length: 51 }, String) }
  const task = { title: 'Count', description: 'To ten.', required_capabilities: Array.from({ length: 21 }, String) }
  const told = [ProfileRequest.safeParse(profile), CreateTaskRequest.safeParse(task)].map(({ error }) => error?.issues)
  expect(told).toMatchObject([[{ message: 'At most 50 are taken.' }], [{ message: 'At most 20 are taken.' }]])
})
