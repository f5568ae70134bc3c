import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'

type Published = Record<string, { get: { responses: { 200: { content: object } } } }>

const { paths } = openApiDocument({ baseUrl: 'https://hall.example', serviceName: 'Guildhall', sandbox: false })

const typesOf = (path: string): string[] => Object.keys((paths as Published)[path]?.get.responses[200].content ?? {})

test('the types that a call may ask for are published at the path where it may', () => {
  expect(typesOf('/')).toEqual(['application/json', 'text/html', 'text/markdown'])
  expect(typesOf('/.well-known/service.json')).toEqual(['application/json'])
})
