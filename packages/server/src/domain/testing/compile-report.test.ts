import { TestingReport } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { aResult } from '../../../tests/support/test-results.ts'
import { compileReport } from './compile-report.ts'

const HASH = 'ab'.repeat(32)
const assignment = { assignment_id: '0b8f5dcd-3f63-4c39-9a43-0a5a3f1f1a11', scope_hash: HASH }
const run = (number: number, changes: Readonly<Record<string, unknown>> = {}) => ({
  run: number,
  result: aResult(assignment, changes),
})
const met = (severity: string, title: string, area = 'workflow') => ({
  area,
  action: 'Tried.',
  observed: 'Saw.',
  status: 'failed',
  finding: { severity, title },
})

test('the outcome is what more than half of the runs found', () => {
  const failing = { outcome: 'product_failure' }
  expect(compileReport(HASH, 3, [run(1), run(2), run(3, failing)])).toMatchObject({
    outcome: 'product_success',
    outcomes: { product_success: 2, product_failure: 1, inconclusive: 0 },
    agreement: { unanimous: false, share: 0.67 },
  })
  expect(compileReport(HASH, 2, [run(1), run(2, failing)])).toMatchObject({ outcome: null, agreement: { share: 0.5 } })
  expect(compileReport(HASH, 3, [run(2)])).toMatchObject({
    runs_planned: 3,
    runs_accepted: 1,
    agreement: { unanimous: true, share: 1 },
  })
})

test('findings come worst first, and runs that call one the same have met the same', () => {
  const report = compileReport(HASH, 2, [
    run(2, { steps: [met('low', 'Slow  ANSWER'), met('critical', 'Data is lost')] }),
    run(1, { steps: [met('high', 'slow answer'), met('low', 'Slow answer', 'documentation')] }),
  ])
  expect(report.findings.map(({ severity, title, runs, area }) => [severity, title, runs, area])).toEqual([
    ['critical', 'Data is lost', [2], 'workflow'],
    ['high', 'slow answer', [1, 2], 'workflow'],
    ['low', 'Slow answer', [1], 'documentation'],
  ])
})

test('coverage counts the runs that looked at an area and how their steps ended', () => {
  const skipped = { area: 'access', action: 'Signed up.', observed: 'Not needed.', status: 'skipped' }
  const { coverage } = compileReport(HASH, 2, [run(1), run(2, { steps: [skipped] })])
  expect(coverage.find(({ area }) => area === 'workflow')).toMatchObject({ runs: 1, steps: { failed: 1, passed: 0 } })
  expect(coverage.find(({ area }) => area === 'access')).toMatchObject({ runs: 0, steps: { skipped: 1 } })
})

test('the same runs in another order make the same report, and it is what is published', () => {
  const [one, two] = [run(1), run(2, { outcome: 'inconclusive' })]
  const report = compileReport(HASH, 2, [one, two])
  expect(compileReport(HASH, 2, [two, one])).toEqual(report)
  expect(TestingReport.parse(report)).toEqual(report)
})
