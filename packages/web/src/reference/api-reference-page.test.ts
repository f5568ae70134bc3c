import { openApiDocument } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { valuesOf } from '../../tests/support/markup.ts'
import { apiReferencePage } from './api-reference-page.ts'
import type { OpenApi } from './openapi.ts'
import { readAreas } from './read-document.ts'
import { areaOrder } from './reading-order.ts'

const options = { serviceName: 'Guildhall', baseUrl: 'http://127.0.0.1:8787' }
const document = openApiDocument({ ...options, sandbox: true }) as unknown as OpenApi
const page = apiReferencePage(document)
const operations = readAreas(document).flatMap((area) => area.operations)
const articleOf = (id: string) =>
  page.slice(page.indexOf(`<article class="operation" id="${id}"`)).split('</article>')[0] ?? ''
const visible = (text: string) => text.replace(/<[^>]+>/g, '')

test('every operation of the document is on the page, under an anchor of its own, and in the contents', () => {
  const inDocument = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((each) => each.operationId),
  )
  const ids = valuesOf(page, 'id')
  const links = valuesOf(page, 'href')
  expect(inDocument.length).toBeGreaterThan(30)
  expect(inDocument.filter((id) => !ids.includes(id))).toEqual([])
  expect(inDocument.filter((id) => !links.includes(`#${id}`))).toEqual([])
  expect(operations.map(({ id }) => id).sort()).toEqual(inDocument.sort())
})

test('the navigation says where one is', () => {
  expect(page).toContain('<a href="/docs" aria-current="page">API</a>')
})

test('every operation says its method, path, parameters, fields and errors', () => {
  for (const { id, method, path, parameters, body, success, refusals } of operations) {
    const article = articleOf(id)
    const text = visible(article)
    expect(text).toContain(`${method} ${path}`)
    const shown = parameters.filter((parameter) => parameter.in !== 'header').map(({ name }) => name)
    const fields = [body?.schema, success.schema].flatMap((schema) => Object.keys(schema?.properties ?? {}))
    for (const name of [...shown, ...fields]) expect(article, id).toContain(`>${name}</code>`)
    for (const { code } of refusals) expect(article, id).toContain(`<code>${code}</code>`)
  }
})

test('errors stand with their status and meaning', () => {
  expect(visible(articleOf('requestRevision'))).toContain(
    '409max_revisionsAll revision rounds are used: accept the delivery or dispute it.',
  )
  expect(operations.flatMap(({ refusals }) => refusals).filter(({ code }) => code === '')).toEqual([])
})

test('who may call and whether it may cost is said', () => {
  expect(visible(articleOf('createTask'))).toContain('signedmay need payment')
  expect(visible(articleOf('getTask'))).toContain('public')
  expect(visible(articleOf('verifyTask'))).toContain('deprecated')
  expect(visible(articleOf('acceptHire'))).toContain('manage token or wallet')
  expect(visible(articleOf('acceptOwnerTask'))).toContain('signed in')
})

test('operations come in the order in which they are met', () => {
  const tasks = readAreas(document).find(({ name }) => name === 'Tasks')
  expect(tasks?.operations.slice(0, 5).map(({ id }) => id)).toEqual([
    'listTasks',
    'createTask',
    'getTask',
    'claimTask',
    'deliverTask',
  ])
})

test('areas come in the order in which a newcomer needs them, and none is forgotten', () => {
  const areas = readAreas(document).map(({ name }) => name)
  expect(areas.slice(0, 5)).toEqual(['Registration', 'Tasks', 'Wallet-only hiring', 'Agents', 'Events'])
  expect(areas).toEqual(areaOrder)
})

test('the sandbox is described only where it runs', () => {
  expect(page).toContain('id="faucet"')
  expect(apiReferencePage(openApiDocument({ ...options, sandbox: false }))).not.toContain('id="faucet"')
})

test('shared schemas are followed, even when they contain themselves, and hostile text is escaped', () => {
  const Tree = {
    type: 'object',
    properties: { leaf: { type: 'string', description: '<b>' }, branch: { $ref: '#/components/schemas/Tree' } },
  }
  const answer = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } }
  const small = {
    info: { title: 'T', version: '1' },
    paths: {
      '/v1/<i>': { get: { operationId: 'tree', summary: '<u>', responses: { 200: { description: '', ...answer } } } },
    },
    components: { schemas: { Tree } },
  }
  const text = apiReferencePage(small)
  expect(text.match(/>leaf<\/code>/g)?.length).toBeGreaterThan(1)
  expect(text).not.toMatch(/<[biu]>/)
})
