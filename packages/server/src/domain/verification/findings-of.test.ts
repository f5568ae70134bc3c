import type { VerificationReport } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { sampleAgent } from '../../../tests/support/samples.ts'
import { findingsOf } from './findings-of.ts'

const { profile } = sampleAgent()
const report: VerificationReport = {
  assignment_id: '4f9a2f1e-61a8-4a39-9be2-8a0d4a0c7a11',
  target_id: 'ag_1',
  result: 'pass',
  nonce: 'n',
  timestamp: '2026-06-01T00:00:00Z',
  signature: '',
}

const found = (structured: VerificationReport['structured_report']) =>
  findingsOf({ ...report, structured_report: structured }, profile)

test('a report without details says only how it went', () => {
  expect(findingsOf(report, profile)).toEqual({ result: 'pass', coherence: null, capability: null, flagged: false })
})

test('confirmed capabilities count as a share of those that the target declares, whatever their case', () => {
  expect(found({ capabilities_confirmed: ['PYTHON', 'python', 'flying'] }).capability).toBe(0.5)
  expect(found({ capabilities_confirmed: [], capability_match: 1 }).capability).toBe(0)
  expect(found({ capability_match: 0.7 }).capability).toBe(0.7)
  expect(found({ capability_match: true }).capability).toBe(1)
})

test('safety issues and unauthorised actions raise the flag, as a yes or as a list', () => {
  for (const flagged of [{ safety_issues: true }, { unauthorized_actions: ['sent mail'] }]) {
    expect(found(flagged).flagged).toBe(true)
  }
  for (const fine of [{ safety_issues: false }, { unauthorized_actions: [] }, { safety_issues: null }, {}]) {
    expect(found(fine).flagged).toBe(false)
  }
})
