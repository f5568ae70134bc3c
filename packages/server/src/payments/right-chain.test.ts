import { expect, test } from 'vitest'
import { rightChain } from './right-chain.ts'

test('a node is asked for its chain once a second, and again at once after any other answer', async () => {
  const said: unknown[] = ['0x89', null, '0x2105', '0x2105', '0x1']
  let [asked, elapsed] = [0, 0]
  const check = rightChain(
    async () => said[asked++],
    'eip155:8453',
    () => elapsed,
  )
  await expect(check()).rejects.toThrow('the node is on chain 137')
  await expect(check()).rejects.toThrow('strange answer')
  await Promise.all([check(), check(), check()])
  elapsed += 999
  await check()
  expect(asked).toBe(3)
  elapsed += 1
  await check()
  elapsed += 1_000
  await expect(check()).rejects.toThrow('the node is on chain 1')
  expect(asked).toBe(5)
})
