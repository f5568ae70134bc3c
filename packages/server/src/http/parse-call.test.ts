import { endpoint } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../domain/refusal.ts'
import { parseBody } from './parse-call.ts'

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

function issuesOf(body: unknown): readonly { readonly path: string; readonly message: string }[] {
  try {
    parseBody(declared, Buffer.from(JSON.stringify(body)))
    return []
  } catch (error) {
    return error instanceof Refusal ? (error.fields.issues as []) : []
  }
}

test('issues name the place and what it needs', () => {
  expect(issuesOf({ list: ['a', 1] })).toEqual([
    { path: 'list.1', message: expect.stringContaining('expected string') },
  ])
  expect(issuesOf({ list: ['a'] })).toEqual([])
})

test('however much is wrong, the answer stays small', () => {
  expect(issuesOf({ list: Array(10_000).fill(1) })).toHaveLength(20)
  const [issue] = issuesOf({ ['x'.repeat(100_000)]: 1 })
  expect(issue?.message.length).toBe(300)
})
