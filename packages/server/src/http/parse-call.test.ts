import { endpoint } from '@guildhall/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../domain/refusal.ts'
import { decodeForm, parseBody, parseQuery } from './parse-call.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

const declared = endpoint({
  area: 'Test',
  method: 'POST',
  path: '/',
  summary: '',
  auth: 'none',
  body: z.strictObject({ list: z.array(z.string()).optional() }),
  returns: z.object({}),
  refuses: [],
})

const issuesOf = (body: unknown) => issuesIn(() => parseBody(declared, Buffer.from(JSON.stringify(body))))

function issuesIn(parse: () => unknown): readonly { readonly path: string; readonly message: string }[] {
  try {
    parse()
    return []
  } catch (error) {
    return error instanceof Refusal ? (error.fields.issues as []) : []
  }
}

test.each(['limit[]=1', 'limit[0]=1', 'limit%5B%5D=1', 'limit=1&limit[]=2', 'limit=1&limit=2'])(
  'the query %s is refused, not ignored',
  (query) => {
    const listing = { ...declared, query: z.object({ limit: z.string().optional() }) }
    expect(() => parseQuery(listing, query)).toThrow(Refusal)
    expect(parseQuery(listing, 'limit=1&other[]=2')).toEqual({ limit: '1' })
  },
)

test.each(['after=1&after=2', 'after[]=1'])('of the query %s it is said that one value is taken', (query) => {
  const listing = { ...declared, query: z.object({ after: z.string().optional() }) }
  const [issue] = issuesIn(() => parseQuery(listing, query))
  expect(issue).toEqual({ path: 'after', message: 'One value is taken, not a list.' })
})

test('issues name the place and what it needs', () => {
  expect(issuesOf({ list: ['a', 1] })).toEqual([{ path: 'list.1', message: 'A string is needed, not a number.' }])
  expect(issuesOf({ list: ['a'] })).toEqual([])
})

test.each([
  [{ list: ['a', 1] }, 'list.1: A string is needed, not a number.'],
  [{ list: [1, 2, 3] }, 'list.0: A string is needed, not a number. (`issues` names 2 more.)'],
  [5, 'An object is needed, not a number.'],
])('%#: the message says what is wrong first', (body, message) => {
  expect(() => parseBody(declared, Buffer.from(JSON.stringify(body)))).toThrow(expect.objectContaining({ message }))
})

test('however much is wrong, the answer stays small', () => {
  expect(issuesOf({ list: Array(10_000).fill(1) })).toHaveLength(20)
  const [issue] = issuesOf({ ['x'.repeat(100_000)]: 1 })
  expect(issue?.message.length).toBe(300)
})

test('a form is read as browsers write it, for any names and values', () => {
  const texts = fc.string({ unit: character }).map((text) => text.replaceAll('\0', '.'))
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(texts, texts), { selector: ([name]) => name }), (pairs) => {
      const written = String(new URLSearchParams(pairs.map(([name, value]) => [name, value])))
      const expected = new URLSearchParams(written)
      const read = decodeForm(Buffer.from(written))
      expect(Object.entries(read).sort()).toEqual([...expected].sort())
    }),
  )
})

test('any bytes are a form or a refusal, and a field such as __proto__ is only a field', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array().map(Buffer.from),
        fc.string().map((text) => Buffer.from(text)),
      ),
      (body) => {
        try {
          for (const value of Object.values(decodeForm(body))) expect(typeof value).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
        }
      },
    ),
  )
  expect(decodeForm(Buffer.from('__proto__=1&constructor=2'))).toEqual({ ['__proto__']: '1', constructor: '2' })
  expect(({} as Record<string, unknown>).constructor).toBe(Object)
})

const searching = endpoint({
  area: 'Test',
  method: 'GET',
  path: '/',
  summary: '',
  auth: 'none',
  query: z.object({ cursor: z.string().max(3).optional(), word: z.string().optional() }),
  queryErrors: { cursor: 'invalid_cursor' },
  returns: z.object({}),
  refuses: [],
})

test.each([
  ['cursor=long', 'invalid_cursor'],
  ['cursor=%00', 'invalid_cursor'],
  ['cursor=%ff', 'invalid_cursor'],
  ['cursor=%', 'invalid_cursor'],
  ['word=%00', 'bad_request'],
  ['word=%', 'bad_request'],
])('a malformed query value gives its own code where it has one: %s is %s', (query, code) => {
  expect(() => parseQuery(searching, query)).toThrow(expect.objectContaining({ code }))
})
