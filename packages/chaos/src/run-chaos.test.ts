import { expect, test } from 'vitest'
import { runChaos } from './run-chaos.ts'

test('whatever is killed under load, everything that was acknowledged is there afterwards', {
  timeout: 900_000,
  retry: 0,
}, async () => {
  const said: string[] = []
  const report = await runChaos({ kills: 4, seed: 4, withinMs: 30_000, tell: (line) => void said.push(line) })
  expect(report.findings, said.join('\n')).toEqual([])
  expect(report.kills).toBeGreaterThan(0)
  expect(report.answered).toBeGreaterThan(0)
})
