import { type Endpoint, type ErrorCode, endpoints, errorCodes, errors, refusalsOf, statusOf } from '@guildhall/protocol'

/** docs/errors.md: the catalogue by status, with the fields each code carries and the endpoints that answer with it. */
export function errorsPage(): string {
  return [
    '# Errors',
    '',
    'Printed from the catalogue in `packages/protocol/src/errors.ts`; do not edit. Every error body is',
    '`{"error": "<code>", "message": "<what is wrong and what to do>", "request_id": "…", …}` with the fields named here.',
    '',
    '| Status | Code | What it means and what to do | Carries | Returned by |',
    '|---|---|---|---|---|',
    ...errorCodes.map(row),
    '',
  ].join('\n')
}

function row(code: ErrorCode): string {
  const { message, carries } = errors[code]
  const fields = Object.keys(carries).map((name) => `\`${name}\``)
  return `| ${statusesOf(code).join(', ')} | \`${code}\` | ${message} | ${fields.join(', ')} | ${returnedBy(code)} |`
}

const declared = Object.entries(endpoints as Readonly<Record<string, Endpoint>>).sort(([, a], [, b]) =>
  `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`),
)

const refusing = (code: ErrorCode) => declared.filter(([, endpoint]) => refusalsOf(endpoint).includes(code))

const statusesOf = (code: ErrorCode): readonly number[] => [
  ...new Set([errors[code].status, ...refusing(code).map(([, endpoint]) => statusOf(endpoint, code))]),
]

const MANY = 12

function returnedBy(code: ErrorCode): string {
  const found = refusing(code)
  if (found.length === 0) return 'any path'
  if (found.length > MANY) return found.length === declared.length ? 'every endpoint' : `${found.length} endpoints`
  return found.map(([, { method, path }]) => `${method} ${path}`).join('<br>')
}
