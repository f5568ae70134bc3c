import { expect, test } from 'vitest'
import { nestingFault, twice, valuesOf } from '../../tests/support/markup.ts'
import { type Html, textOf } from '../html.ts'
import { newTestPage } from './new-test-page.ts'
import { printedReportPage, testRequestPage } from './test-request-page.ts'
import { testingListPage } from './testing-list-page.ts'
import type { TestingReport, TestingScope } from './views.ts'

const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const AT = '2026-01-31T12:00:00.000Z'

const request = {
  request_id: 'treq_1',
  status: 'reported',
  package_id: 'agent-audit',
  package_version: '1.0',
  product_name: EVIL,
  scope_hash: 'ab'.repeat(32),
  retest_of: 'treq_0',
  note: EVIL,
  created_at: AT,
  confirmed_at: AT,
  decided_at: AT,
  ended_at: AT,
} as const

const scope: TestingScope = {
  package_id: 'agent-audit',
  package_version: '1.0',
  product_name: EVIL,
  product_category: 'api',
  product_url: 'javascript:alert(1)',
  documentation_url: EVIL,
  workflow_objective: EVIL,
  expected_result: EVIL,
  target_environment: EVIL,
  auth_mode: 'none',
  allowed_operations: { read_only: false, sandbox_write_steps: [EVIL] },
  known_constraints: EVIL,
  suspected_failure: EVIL,
}

const report: TestingReport = {
  report_version: '1.0',
  scope_hash: 'ab'.repeat(32),
  runs_planned: 3,
  runs_accepted: 1,
  outcome: 'product_failure',
  outcomes: { product_success: 0, product_failure: 1, inconclusive: 0 },
  agreement: { unanimous: true, share: 1, expected_result: { yes: 0, partly: 0, no: 1, not_applicable: 0 } },
  coverage: [{ area: 'workflow', label: 'Workflow', runs: 1, steps: { passed: 0, failed: 1, blocked: 0, skipped: 0 } }],
  findings: [{ severity: 'critical', title: EVIL, details: [EVIL], runs: [1], area: 'workflow' }],
  runs: [
    {
      run: 1,
      outcome: 'product_failure',
      started_at: AT,
      finished_at: AT,
      duration_s: 0,
      runtime: EVIL,
      steps: [{ area: 'workflow', action: EVIL, expected: EVIL, observed: EVIL, status: 'failed', evidence: [EVIL] }],
      evidence: [{ id: EVIL, kind: 'log', description: EVIL, content: EVIL, url: 'javascript:alert(1)', sha256: null }],
      output: EVIL,
      comparison: { matches: 'no', explanation: EVIL },
    },
  ],
}

const runs = [{ run: 1, status: 'accepted', updated_at: AT }] as const
const sent = { csrfToken: 'token', formId: 'form' }
const common = { request, scope, runs, ...sent }

const pages: readonly (readonly [string, Html])[] = [
  ['the list', testingListPage({ requests: [request], older: '/console/testing?before=x', available: true, now: 0 })],
  ['an empty list', testingListPage({ requests: [], older: null, available: false, now: 0 })],
  ['the form', newTestPage({ ...sent, typed: { product_name: EVIL, known_constraints: EVIL }, problem: EVIL })],
  ['a request', testRequestPage({ ...common, report: null })],
  ['one to confirm', testRequestPage({ ...common, request: { ...request, status: 'unconfirmed' }, report: null })],
  ['a report', testRequestPage({ ...common, report })],
  ['a printed report', printedReportPage({ ...common, report })],
]

test.each(pages)('%s is well formed, and what others wrote stays text', (_, page) => {
  const text = textOf(page)
  expect(nestingFault(text)).toBeNull()
  expect(text.match(/<h1[ >]/g)).toHaveLength(1)
  expect(twice(valuesOf(text, 'id'))).toEqual([])
  expect(text).not.toMatch(/<script|<img|href="javascript:|\sstyle=/i)
  const labels = new Set(valuesOf(text, 'for'))
  for (const id of valuesOf(text, 'id').filter((one) => one.startsWith('test-') && !one.endsWith('-hint')))
    expect(labels).toContain(id)
})

test('a test that may write says which steps, and without any step it may only read', () => {
  const shownWith = (allowed_operations: TestingScope['allowed_operations']) =>
    textOf(testRequestPage({ ...common, scope: { ...scope, allowed_operations }, report: null }))
  expect(shownWith({ read_only: false, sandbox_write_steps: ['Add a row'] })).toMatch(/these steps:\s*<ul><li[^>]*>Add/)
  expect(shownWith({ read_only: false, sandbox_write_steps: [] })).toContain('reading only')
  expect(shownWith({ read_only: true, sandbox_write_steps: [] })).toContain('reading only')
})
