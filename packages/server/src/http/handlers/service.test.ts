import { expect, test } from 'vitest'
import type { World } from '../../ports/world.ts'
import type { Call } from '../handler.ts'
import { serviceHandlers } from './service.ts'

test('the OpenAPI document, which is large and never changes, is written and hashed once', async () => {
  const rules = { serviceName: 'Guildhall', baseUrl: 'https://hall.example' }
  const { openapi } = serviceHandlers({ rules, store: { ready: async () => true } } as unknown as World, false)
  const ask = async () => {
    const answer = await openapi({} as Call<never>)
    return 'document' in answer ? answer.document : null
  }
  const first = await ask()
  expect(JSON.parse(first?.text ?? '{}')).toMatchObject({ openapi: '3.1.0' })
  expect(await ask()).toBe(first)
})
