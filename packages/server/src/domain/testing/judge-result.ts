import { limits, type WorkerResult, workerResultSchema } from '@guildhall/protocol'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parseJson } from '../parse-json.ts'
import { findSecretFields, type Issue } from './find-secret-fields.ts'

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false })
formats.default(ajv, ['date-time', 'uuid', 'uri'])
const fits = ajv.compile<WorkerResult>(workerResultSchema)

const MOST_ISSUES = 20

export type ExpectedResult = { readonly assignmentId: string; readonly scopeHash: string }
export type Judged = { readonly result: WorkerResult } | { readonly issues: readonly Issue[] }

/** Whether a delivered text is a worker result for this assignment. */
export function judgeResult(text: string, expected: ExpectedResult): Judged {
  const bytes = Buffer.byteLength(text)
  if (bytes > limits.testing.resultBytes)
    return one('', `The result is ${bytes} bytes; ${limits.testing.resultBytes} are allowed.`)
  const read = parseJson(text, 'submission_content')
  if ('problem' in read) return one('', read.problem)
  const { value } = read
  if (!fits(value)) return { issues: (fits.errors ?? []).slice(0, MOST_ISSUES).map(issueOf) }
  const issues = [...mismatches(value, expected), ...findSecretFields(value, '', isIdentifier)]
  return issues.length > 0 ? { issues: issues.slice(0, MOST_ISSUES) } : { result: value }
}

const one = (path: string, message: string): Judged => ({ issues: [{ path, message }] })

/** Hashes and ids look like secrets but are not. */
const isIdentifier = (path: string): boolean =>
  path === 'scope_hash' || path === 'assignment_id' || /^evidence\.\d+\.(sha256|id)$/.test(path)

const issueOf = ({ instancePath, message, params, keyword }: ErrorObject): Issue => ({
  path: instancePath.slice(1).replaceAll('/', '.').slice(0, 300),
  message: `${message ?? 'does not fit'}${keyword === 'enum' ? `: ${String(params.allowedValues)}` : ''}`.slice(0, 300),
})

function mismatches(result: WorkerResult, { assignmentId, scopeHash }: ExpectedResult): readonly Issue[] {
  const known = new Set(result.evidence.map(({ id }) => id))
  const unknown = result.steps.flatMap(({ evidence = [] }, place) =>
    evidence
      .filter((id) => !known.has(id))
      .map(
        (): Issue => ({
          path: `steps.${place}.evidence`,
          message: 'names evidence that is not there',
        }),
      ),
  )
  return [
    ...(result.assignment_id === assignmentId ? [] : [{ path: 'assignment_id', message: 'is not the brief’s' }]),
    ...(result.scope_hash === scopeHash ? [] : [{ path: 'scope_hash', message: 'is not the brief’s' }]),
    ...(Date.parse(result.finished_at) >= Date.parse(result.started_at)
      ? []
      : [{ path: 'finished_at', message: 'lies before started_at' }]),
    ...(known.size === result.evidence.length ? [] : [{ path: 'evidence', message: 'has an id twice' }]),
    ...unknown,
  ]
}
