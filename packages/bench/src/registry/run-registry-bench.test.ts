import { expect, test } from 'vitest'
import { formatRegistrySummary, runRegistryBench } from './run-registry-bench.ts'
import { searchCases } from './search-cases.ts'

test('the registry is measured from end to end', async () => {
  const summary = await runRegistryBench({ agents: 200, reports: 400, searches: 1 }, () => {})
  expect(summary.searches.map(({ name }) => name)).toEqual(Object.keys(searchCases))
  expect(summary.searches[0]).toMatchObject({ total: 201 })
  expect(summary.searches.find(({ name }) => name === 'the commonest word')?.total).toBeGreaterThan(100)
  expect(formatRegistrySummary(summary)).toContain('trust computed in')
})
