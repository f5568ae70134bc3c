import { isUtf8 } from 'node:buffer'
import type { Endpoint, ErrorCode } from '@guildhall/protocol'
import type { z } from 'zod'
import { parseJson } from '../domain/parse-json.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { issueMessage } from './issue-message.ts'

type Codes = Readonly<Record<string, ErrorCode>>
type Pairs = Record<string, string | string[]>
type Issue = { readonly path: string; readonly message: string }

const MOST_ISSUES = 20
const MOST_CHARACTERS = 300

export function parseParams(declared: Endpoint, names: readonly string[], segments: readonly string[]): unknown {
  if (declared.params === undefined) return undefined
  return parse(declared.params, decodeSegments(names, segments))
}

/** The decoded path segments, by name. */
export function decodeSegments(names: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) params[name] = decode(segments[index] ?? '', name)
  return params
}

export function parseQuery(declared: Endpoint, query: string): unknown {
  if (declared.query === undefined) return undefined
  const values = listsAsValues(decodePairs(query, declared.queryErrors))
  return parse(declared.query, values, { codes: declared.queryErrors, say: queryMessage })
}

const queryMessage: z.core.$ZodErrorMap = (issue) =>
  Array.isArray(issue.input) ? 'One value is taken, not a list.' : issueMessage(issue)

const LIST = /^([^[]+)\[[^\]]*\]$/

/** Some clients write a list as `limit[]=1`: it counts as a list for `limit`, which is refused, instead of being ignored. */
function listsAsValues(values: Pairs): Pairs {
  for (const [name, value] of Object.entries(values)) {
    const [, listed] = LIST.exec(name) ?? []
    if (listed !== undefined) values[listed] = [value].flat()
  }
  return values
}

export function parseBody(declared: Endpoint, body: Buffer): unknown {
  const { body: schema } = declared
  if (body.length === 0 && (schema === undefined || declared.bodyMayBeMissing)) return undefined
  if (schema === undefined) return checkUnasked(body)
  if (body.length === 0 && !declared.form)
    return declared.bodyOptional ? parse(schema, {}) : badRequest('', 'A JSON body is needed.')
  if (declared.form) return parse(schema, decodePairs(textOf(body)))
  return parse(schema, jsonOf(body), { otherwise: declared.bodyError })
}

/** An endpoint without a body ignores all fields, but a body that is not JSON is a mistake and is refused. */
function checkUnasked(body: Buffer): undefined {
  jsonOf(body)
}

const textOf = (body: Buffer): string =>
  isUtf8(body) ? body.toString('utf8') : badRequest('', 'The body is not UTF-8.')

function jsonOf(body: Buffer): unknown {
  const json = parseJson(textOf(body))
  return 'problem' in json ? badRequest('', json.problem) : json.value
}

/** A page's query, read as leniently as browsers do, except for NUL, which PostgreSQL accepts in no text. */
export function pageQuery(query: string): URLSearchParams {
  const values = new URLSearchParams(query)
  for (const [name, value] of values) if (`${name}${value}`.includes('\0')) badRequest('query', NUL)
  return values
}

/** The fields of a form; each may be given only once. */
export function decodeForm(body: Buffer): Readonly<Record<string, string>> {
  if (!isUtf8(body)) badRequest('', 'The form is not UTF-8.')
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(decodePairs(body.toString('utf8'))))
    fields[name] = typeof value === 'string' ? value : badRequest(name, 'This field was sent twice.')
  return fields
}

/** A name given twice becomes a list, which no schema of a single value accepts. */
function decodePairs(query: string, codes: Codes = {}): Pairs {
  const values: Pairs = Object.create(null)
  if (query === '') return values
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(plusAsSpace(equals === -1 ? pair : pair.slice(0, equals)), 'query')
    const value = decode(plusAsSpace(equals === -1 ? '' : pair.slice(equals + 1)), name, codeOf(codes, name))
    const before = values[name]
    if (Array.isArray(before)) before.push(value)
    else values[name] = before === undefined ? value : [before, value]
  }
  return values
}

const NUL = 'A NUL character is not taken.'

const plusAsSpace = (text: string): string => (text.includes('+') ? text.replaceAll('+', ' ') : text)

function decode(text: string, name: string, code?: ErrorCode): string {
  if (!text.includes('%')) return text
  try {
    const decoded = decodeURIComponent(text)
    return decoded.includes('\0') ? badRequest(name, NUL, code) : decoded
  } catch (error) {
    if (error instanceof Refusal) throw error
    return badRequest(name, 'The percent-encoding is malformed.', code)
  }
}

/** The code of a field that has one of its own for a malformed value. */
const codeOf = (codes: Codes, name: string): ErrorCode | undefined =>
  Object.hasOwn(codes, name) ? codes[name] : undefined

type Refusing = {
  /** Fields with a code of their own. */
  readonly codes?: Codes | undefined
  readonly otherwise?: ErrorCode | undefined
  readonly say?: z.core.$ZodErrorMap
}

function parse(schema: z.ZodType, value: unknown, refusing: Refusing = {}): unknown {
  const { codes = {}, otherwise = 'bad_request', say = issueMessage } = refusing
  const result = schema.safeParse(value, { error: say })
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, MOST_ISSUES).map(issueOf)
  const named = result.error.issues.map(({ path }) => codeOf(codes, String(path[0])))
  const code = named.find((one) => one !== undefined) ?? otherwise
  return refuseFor(code, issues)
}

const issueOf = ({ path, message }: z.core.$ZodIssue): Issue => ({
  path: path.map(String).join('.').slice(0, MOST_CHARACTERS),
  message: message.slice(0, MOST_CHARACTERS),
})

const badRequest = (path: string, message: string, code: ErrorCode = 'bad_request'): never =>
  refuseFor(code, [{ path, message }])

/** The other codes have a sentence of their own. */
const refuseFor = (code: ErrorCode, issues: Issue[]): never =>
  refuse(code as 'bad_request', { issues }, code === 'bad_request' ? sentenceOf(issues) : undefined)

/** People read the first issue, programs read all. */
function sentenceOf([first, ...others]: readonly Issue[]): string | undefined {
  if (first === undefined) return undefined
  const named = first.path === '' ? first.message : `${first.path}: ${first.message}`
  return others.length === 0 ? named : `${named} (\`issues\` names ${others.length} more.)`
}
