import { endpoint } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { problemOfAnswer } from './problem-of-answer.ts'

const declared = endpoint({
  area: 'Test',
  method: 'GET',
  path: '/',
  summary: '',
  auth: 'none',
  returns: z.object({
    list: z.array(z.object({ id: z.string(), note: z.string().optional() })),
    any: z.record(z.string(), z.unknown()),
  }),
  refuses: [],
})
const problem = (body: unknown) => problemOfAnswer(declared, JSON.stringify(body))

test('an answer is what its endpoint declares, with nothing beside it at any depth', () => {
  expect(problem({ list: [{ id: 'a' }, { id: 'b', note: 'x' }], any: { free: [1] } })).toBeNull()
  expect(problem({ any: {}, list: [] })).toBeNull()
  expect(problem({ list: [{ id: 'a', secret: 1 }], any: {}, more: 1 })).toBe(
    'fields that are not declared: list.0.secret, more',
  )
  expect(problem({ list: [{ id: 1 }], any: {} })).toContain('expected string')
})
