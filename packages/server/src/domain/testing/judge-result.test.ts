import { limits } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { aResult } from '../../../tests/support/test-results.ts'
import { judgeResult } from './judge-result.ts'

const assignment = { assignment_id: '0b8f5dcd-3f63-4c39-9a43-0a5a3f1f1a11', scope_hash: 'ab'.repeat(32) }
const expected = { assignmentId: assignment.assignment_id, scopeHash: assignment.scope_hash }

const judged = (changes: Readonly<Record<string, unknown>>) =>
  judgeResult(JSON.stringify(aResult(assignment, changes)), expected)
const paths = (verdict: ReturnType<typeof judgeResult>) =>
  'issues' in verdict ? verdict.issues.map(({ path }) => path) : null

const [step] = aResult(assignment).steps
const pieces = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ id: `e${place}`, kind: 'log', description: 'A line.' }))
const plain = { ...step, evidence: undefined }

test('a result that satisfies the contract is taken', () => {
  expect(judged({})).toEqual({ result: aResult(assignment) })
})

describe('limits hold at n and not at n+1', () => {
  test.each([
    ['steps', Array(1).fill(plain), true],
    ['steps', [], false],
    ['steps', Array(30).fill(plain), true],
    ['steps', Array(31).fill(plain), false],
    ['evidence', pieces(30), true],
    ['evidence', pieces(31), false],
  ])('%s', (field, value, fits) => {
    const steps = field === 'evidence' ? { steps: [plain] } : { evidence: [] }
    expect(paths(judged({ ...steps, [field]: value }))).toEqual(fits ? null : [field])
  })

  test('64 KiB in all', () => {
    const text = JSON.stringify(aResult(assignment))
    const padded = (bytes: number) => text + ' '.repeat(bytes - Buffer.byteLength(text))
    expect(judgeResult(padded(limits.testing.resultBytes), expected)).toHaveProperty('result')
    expect(paths(judgeResult(padded(limits.testing.resultBytes + 1), expected))).toEqual([''])
  })

  test('finished_at may equal started_at, and not lie before it', () => {
    expect(judged({ finished_at: '2026-01-31T12:00:00.000Z' })).toHaveProperty('result')
    expect(paths(judged({ finished_at: '2026-01-31T11:59:59.999Z' }))).toEqual(['finished_at'])
  })
})

test.each([
  ['schema_version', '1.1', 'schema_version'],
  ['assignment_id', 'not-a-uuid', 'assignment_id'],
  ['assignment_id', '1b8f5dcd-3f63-4c39-9a43-0a5a3f1f1a11', 'assignment_id'],
  ['scope_hash', 'cd'.repeat(32), 'scope_hash'],
  ['outcome', 'great', 'outcome'],
  ['started_at', 'yesterday', 'started_at'],
  ['started_at', '2026-01-31T12:00:00+02:00', 'started_at'],
  [
    'attestations',
    { stayed_within_scope: true, own_observations: false, no_secrets_included: true },
    'attestations.own_observations',
  ],
  ['more', 1, ''],
])('%s %j is refused by its name', (field, value, path) => {
  expect(paths(judged({ [field]: value }))).toContain(path)
})

test('evidence that a step names has to be there', () => {
  expect(paths(judged({ evidence: [] }))).toEqual(['steps.1.evidence'])
})

test('a text that looks like a secret is refused where it stands, and hashes are none', () => {
  const key = `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`
  expect(paths(judged({ output: `I used ${key}` }))).toEqual(['output'])
  expect(
    judged({ evidence: [{ id: 'answer', kind: 'log', description: 'x', sha256: 'ab'.repeat(32) }] }),
  ).toHaveProperty('result')
})

test.each([
  ['a NUL character', { output: 'a\0b' }],
  ['half of a surrogate pair', { output: 'a\ud83d' }],
])('%s is refused, because no report could be stored with it', (_, change) => {
  expect(paths(judged(change))).toEqual([''])
})

test('a key that stands twice is refused: a reader could find either value', () => {
  const text = JSON.stringify(aResult(assignment)).replace('{', '{"outcome":"inconclusive",')
  expect(judgeResult(text, expected)).toEqual({
    issues: [{ path: '', message: 'The key "outcome" stands twice in one object.' }],
  })
})

test.each(['', 'null', '[]', '{', '{"__proto__":{"admin":true}}'])('%j is no result', (text) => {
  expect(judgeResult(text, expected)).toHaveProperty('issues')
  expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
})
