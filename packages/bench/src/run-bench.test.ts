import { expect, test } from 'vitest'
import { QUICK } from './plan.ts'
import { runBench } from './run-bench.ts'

test('a quick run measures every line and every ratio', { timeout: 180_000 }, async () => {
  const { lines, ratios } = await runBench({ plan: QUICK })
  expect(lines.map(({ name }) => name)).toEqual([
    'HTTP',
    'HTTP + SELECT',
    'health',
    'task by id',
    'list of 20 of 500',
    'list of 20 of 5,000',
    'HTTP + Ed25519 verify',
    'HTTP + transaction',
    'create (free)',
    'claim',
    'deliver',
    'paid post',
  ])
  for (const { rounds } of lines) {
    expect(rounds).toHaveLength(QUICK.rounds)
    for (const value of rounds.flatMap((round) => Object.values(round))) expect(value).toBeGreaterThan(0)
  }
  expect(ratios).toHaveLength(8)
  for (const { ratio } of ratios) expect(ratio).toSatisfy((value: number) => Number.isFinite(value) && value > 0)
})
