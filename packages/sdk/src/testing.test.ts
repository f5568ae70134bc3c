import { expect, test } from 'vitest'
import { clientOf, scriptedService } from '../tests/support/scripted-service.ts'
import type { TestDelivery } from './testing.ts'

const DELIVERY = { summary: 'Done.', result: { verdict: 'pass' } } as unknown as TestDelivery

test('the result of a product test cannot be guessed from its receipt, and is the same request when it is sent again', async () => {
  const service = await scriptedService({}, {}, {})
  const saltOf = async (taskId: string): Promise<unknown> => {
    await clientOf(service).testing.deliver(taskId, DELIVERY)
    return JSON.parse(service.seen.at(-1)?.body ?? '').salt
  }
  const salt = await saltOf('task_1')
  expect(salt).toMatch(/^[0-9a-f]{64}$/)
  expect(await saltOf('task_1')).toBe(salt)
  expect(await saltOf('task_2')).not.toBe(salt)
})
