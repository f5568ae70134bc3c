import { expect, test } from 'vitest'
import { NOW } from '../../../tests/support/samples.ts'
import type { Rules } from '../../ports/rules.ts'
import { LOOK_EVERY_MS, nextLook } from './next-look.ts'

const rulesFor = (...names: readonly string[]) =>
  ({ networks: names.map((network) => ({ network })) }) as unknown as Pick<Rules, 'networks'>
const three = rulesFor('a', 'b', 'c')

test('the next look comes after now, and at most a minute later', () => {
  for (let passed = 0; passed < 2 * LOOK_EVERY_MS; passed += 777) {
    const now = NOW + passed
    for (const network of ['a', 'b', 'c', 'no longer served']) {
      expect(nextLook(now, network, three)).toBeGreaterThan(now)
      expect(nextLook(now, network, three)).toBeLessThanOrEqual(now + LOOK_EVERY_MS)
    }
  }
})

test('looks that take their time still come once a minute', () => {
  const first = nextLook(NOW, 'b', three)
  expect(nextLook(first, 'b', three)).toBe(first + LOOK_EVERY_MS)
  expect(nextLook(first + 4_321, 'b', three)).toBe(first + LOOK_EVERY_MS)
})

test('the networks are looked at one after the other, evenly spread over the minute', () => {
  const moments = ['a', 'b', 'c'].map((network) => nextLook(NOW, network, three) % LOOK_EVERY_MS)
  expect(moments).toEqual([0, 20_000, 40_000])
})
