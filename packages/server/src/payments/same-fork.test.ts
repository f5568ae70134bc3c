import { expect, test } from 'vitest'
import { type Rpc, writeQuantity } from './json-rpc.ts'
import { sameFork } from './same-fork.ts'

/** A node with this newest block; below `forkedAt` its blocks are those of every other. */
const node =
  (newest: bigint, forkedAt: bigint, asked: bigint[] = []): Rpc =>
  async (_, [tag]) => {
    const number = tag === 'latest' ? newest : BigInt(String(tag))
    if (tag !== 'latest') asked.push(number)
    if (number > newest) return null
    const hash = `0x${(number < forkedAt ? 'a' : 'b').repeat(64)}`
    return { number: writeQuantity(number), hash, timestamp: '0x1' }
  }

const ours = node(100n, 1_000n)

test.each<[string, Rpc]>([
  ['has the newest final block of the first', node(89n, 1_000n)],
  ['parted from it after that block', node(120n, 90n)],
])('a second node that %s agrees', async (_, second) => {
  expect(await sameFork(ours, second, 12)()).toBe(true)
})

test.each<[string, Rpc, string]>([
  ['parted from it before', node(120n, 89n), 'two nodes show different blocks'],
  ['has not seen it yet', node(88n, 1_000n), 'the second node: block'],
])('one that %s does not', async (_, second, why) => {
  await expect(sameFork(ours, second, 12)()).rejects.toThrow(why)
})

test('on a chain that is shorter than its finality the first block counts', async () => {
  const asked: bigint[] = []
  expect(await sameFork(node(3n, 9n), node(3n, 9n, asked), 12)()).toBe(true)
  expect(asked).toEqual([0n])
})
