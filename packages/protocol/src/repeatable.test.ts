import { expect, test } from 'vitest'
import { type Endpoint, isRepeatable, refusalsOf } from './endpoint.ts'
import { endpoints } from './endpoints/index.ts'
import { openApiDocument } from './openapi.ts'

type Operation = { readonly parameters?: readonly { readonly name: string; readonly in: string }[] }

const document = openApiDocument({ baseUrl: 'https://hall.example', serviceName: 'Guildhall', sandbox: true })
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>
const declared: readonly [string, Endpoint][] = Object.entries(endpoints)
const posts = declared.filter(([, { method, page }]) => method === 'POST' && !page)

test.each(posts)('%s takes an Idempotency-Key, and says what becomes of a repeat', (_name, endpoint) => {
  expect(isRepeatable(endpoint)).toBe(true)
  expect([...refusalsOf(endpoint)]).toEqual(
    expect.arrayContaining(['idempotency_in_progress', 'idempotency_key_reused']),
  )
  const operation = paths[endpoint.path]?.post
  expect(operation?.parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }))
})

test('nothing else takes one', () => {
  for (const [name, endpoint] of declared.filter(([, { method, page }]) => method !== 'POST' || page))
    expect(isRepeatable(endpoint), name).toBe(false)
})
