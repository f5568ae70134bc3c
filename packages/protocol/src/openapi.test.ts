import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'

type Published = Record<string, { get: { responses: { 200: { content: object } } } }>

const { paths } = openApiDocument({ baseUrl: 'https://hall.example', serviceName: 'Guildhall', sandbox: false })

const typesOf = (path: string): string[] => Object.keys((paths as Published)[path]?.get.responses[200].content ?? {})

test('the types that a call may ask for are published at the path where it may', () => {
  expect(typesOf('/')).toEqual(['application/json', 'text/html', 'text/markdown'])
  expect(typesOf('/.well-known/service.json')).toEqual(['application/json'])
})

type Parameter = { readonly name: string; readonly required: boolean; readonly schema: object }
const parameterOf = (path: string, method: string, name: string): Parameter | undefined => {
  const item = (paths as Record<string, Record<string, { readonly parameters: readonly Parameter[] }>>)[path]
  return item?.[method]?.parameters.find((parameter) => parameter.name === name)
}

test('the task list has a limit, 20 by default and at most 100, and an offset, 0 by default', () => {
  const parameter = (name: string) => parameterOf('/v1/tasks', 'get', name)?.schema
  expect(parameter('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
  expect(parameter('offset')).toEqual({ type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 })
})

test('a signed request has to carry X-Timestamp; where signing is optional, it need not', () => {
  expect(parameterOf('/v1/tasks/{id}/claim', 'post', 'X-Timestamp')?.required).toBe(true)
  expect(parameterOf('/v1/tasks/{id}/claim', 'post', 'X-Nonce')?.required).toBe(false)
  expect(parameterOf('/v1/feedback', 'post', 'X-Timestamp')?.required).toBe(false)
})

test('a task is posted in the categories that anybody may post in; testing is the house’s', () => {
  const { requestBody } = (paths as Record<string, { post: { requestBody: object } }>)['/v1/tasks']?.post ?? {}
  const category = { anyOf: [{ enum: ['research', 'code', 'content', 'data', 'automation'] }, { type: 'null' }] }
  expect(requestBody).toMatchObject({ content: { 'application/json': { schema: { properties: { category } } } } })
})

test('the meaning of a parameter is said of the parameter, and that of an amount with its unit', () => {
  type Parameter = { name: string; description?: string; schema: { description?: string } }
  type Operation = { parameters?: Parameter[]; requestBody?: object }
  const operations = Object.values(paths as Record<string, Record<string, Operation>>).flatMap(Object.values<Operation>)
  const parameters = operations.flatMap((operation) => operation.parameters ?? [])
  expect(parameters.filter(({ schema }) => schema.description !== undefined)).toEqual([])
  const said = (name: string) => parameters.find((parameter) => parameter.name === name)?.description
  expect([said('creator'), said('offset')]).toEqual([
    expect.stringMatching(/^an agent id/),
    expect.stringMatching(/^how many to skip/),
  ])
  const sent = JSON.stringify((paths as Record<string, Record<string, Operation>>)['/v1/tasks']?.post?.requestBody)
  expect(sent).toContain('atomic USDC units (6 decimals), at most 1000000000')
})

test('what is to be paid is described wherever a 402 says it', () => {
  type Refused = { content: { 'application/json': { schema: { properties: Record<string, object> } } } }
  const posts = Object.values(paths as Record<string, { post?: { responses: Record<string, Refused> } }>)
  const refused = posts.flatMap(({ post }) => post?.responses[402]?.content['application/json'].schema.properties ?? [])
  expect(refused.length).toBeGreaterThan(0)
  const requirements = {
    type: 'array',
    items: { required: expect.arrayContaining(['asset', 'amount', 'payTo', 'extra']) },
  }
  for (const fields of refused)
    expect(fields).toMatchObject({
      accepts: requirements,
      payment_requirements: requirements,
      resource: { required: ['url', 'description', 'mimeType'] },
      extensions: { type: 'object' },
    })
})

test('a code with two statuses at one endpoint is published under both', () => {
  type Refused = { content: { 'application/json': { schema: { properties: { error: { enum: string[] } } } } } }
  const report = (paths as Record<string, { post: { responses: Record<string, Refused> } }>)['/v1/verify/submit']
  const codes = (status: string) =>
    report?.post.responses[status]?.content['application/json'].schema.properties.error.enum
  expect(codes('400')).toContain('invalid_signature')
  expect(codes('401')).toContain('invalid_signature')
})

test('a request that cannot be read is refused in JSON at every path, also where people get pages', () => {
  type Refused = { content: { 'application/json': { schema: { properties: { error: { enum: string[] } } } } } }
  type Operation = { responses: Record<string, Refused> }
  const operations = Object.values(paths as Record<string, Record<string, Operation>>).flatMap(Object.values<Operation>)
  const codes = ({ responses }: Operation, status: string) =>
    responses[status]?.content['application/json'].schema.properties.error.enum
  expect(operations.filter((operation) => codes(operation, '408')?.[0] !== 'request_timeout')).toEqual([])
  expect(operations.filter((operation) => codes(operation, '431')?.[0] !== 'headers_too_large')).toEqual([])
})

test('the headers that a client acts on are published with the answers that carry them', () => {
  type Answers = Record<string, { readonly headers?: object }>
  const answers = (path: string, method: string) =>
    (paths as Record<string, Record<string, { readonly responses: Answers }>>)[path]?.[method]?.responses ?? {}
  const names = (found: Answers, status: number) => Object.keys(found[status]?.headers ?? {})
  const post = answers('/v1/tasks', 'post')
  expect(names(post, 200)).toEqual(
    expect.arrayContaining(['X-Request-Id', 'X-Service-Skill-Latest', 'PAYMENT-RESPONSE']),
  )
  expect([401, 402, 403, 503].map((status) => names(post, status))).toEqual([
    ['WWW-Authenticate'],
    ['PAYMENT-REQUIRED'],
    [],
    ['Retry-After'],
  ])
  expect(names(answers('/v1/feedback', 'post'), 429)).toEqual(['Retry-After', 'RateLimit', 'RateLimit-Policy'])
  expect(names(answers('/v1/feedback', 'post'), 400)).toEqual(['RateLimit', 'RateLimit-Policy'])
  expect(names(answers('/v1/feedback', 'post'), 201)).toContain('Idempotent-Replayed')
  expect(names(answers('/v1/tasks/{id}/verify', 'post'), 200)).toContain('Deprecation')
  expect(names(answers('/v1/tasks', 'get'), 200)).toContain('ETag')
})
