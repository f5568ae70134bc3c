import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../../tests/support/test-node.ts'
import { NOWHERE, type Page } from './page.ts'

const wants = (type: string) => (accept: string) => accept.includes(type)
const html = { 'Content-Type': 'text/html; charset=utf-8' }
const pages: readonly Page[] = [
  { path: '/', accepts: wants('text/html'), render: () => ({ headers: html, body: '<h1>Hello</h1>' }) },
  {
    path: '/',
    accepts: wants('text/markdown'),
    render: () => ({
      headers: { 'Content-Type': 'text/markdown', 'Cache-Control': 'public, max-age=60' },
      body: '# Hello',
    }),
  },
  {
    path: '/',
    crossOrigin: true,
    render: () => ({
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=0' },
      body: '{}',
    }),
  },
  {
    path: '/v1/items/{id}',
    accepts: wants('text/html'),
    render: ({ params }) => ({ headers: html, body: params.id ?? '' }),
  },
  {
    path: '/console/{page}',
    render: async ({ query, requestId }) => ({ status: 403, headers: html, body: `${query.get('q')} ${requestId}` }),
  },
  { path: '/send', method: 'POST', render: () => ({ headers: html, body: 'sent' }) },
  { path: NOWHERE, accepts: wants('text/html'), render: () => ({ status: 404, headers: html, body: 'lost' }) },
]

let node: TestNode
beforeAll(async () => {
  node = await startTestNode({ pages })
})
afterAll(() => node.stop(0))

const get = (path: string, accept: string, headers = {}) => node.call(path, { headers: { Accept: accept, ...headers } })

describe('pages', () => {
  test('the first page that accepts is the one that answers', async () => {
    expect(await (await get('/', 'text/html,*/*')).text()).toBe('<h1>Hello</h1>')
    expect(await (await get('/', 'text/markdown')).text()).toBe('# Hello')
    expect(await (await get('/', 'application/json')).text()).toBe('{}')
    expect((await get('/', 'text/html')).headers.get('vary')).toBe('Accept')
  })

  test('a page may share its path with an endpoint', async () => {
    expect(await (await get('/v1/items/a%20b', 'text/html')).text()).toBe('a b')
    expect(await (await get('/v1/items/a', 'application/json')).json()).toEqual({ seen: { id: 'a' } })
  })

  test('a page is not stored unless it says so, and then it is revalidated', async () => {
    expect((await get('/', 'text/html')).headers.get('cache-control')).toBe('no-store')
    expect((await get('/', 'text/html')).headers.get('etag')).toBeNull()
    const kept = await get('/', 'text/markdown')
    expect(kept.headers.get('cache-control')).toBe('public, max-age=60')
    const etag = kept.headers.get('etag') ?? ''
    expect((await get('/', 'text/markdown', { 'If-None-Match': etag })).status).toBe(304)
  })

  test('only pages that say so can be read by scripts of other origins', async () => {
    expect((await get('/', 'text/html')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await get('/', 'application/json')).headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await node.call('/console/x', { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, null])
    expect(preflight.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    const refused = await node.call('/console/x', { method: 'PUT' })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([405, null])
  })

  test('a page has the common headers, its own status, the query and the request id', async () => {
    const answer = await get('/console/x?q=1', '*/*')
    expect(answer.status).toBe(403)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toBe(`1 ${answer.headers.get('x-request-id')}`)
  })

  test('HEAD is answered, other methods are 405, malformed encoding is 400', async () => {
    expect(
      (await node.call('/', { method: 'HEAD', headers: { Accept: 'text/html' } })).headers.get('content-length'),
    ).toBe('14')
    expect((await node.call('/', { method: 'POST' })).status).toBe(405)
    expect((await get('/console/%zz', '*/*')).status).toBe(400)
  })

  test('whoever opens the address of a form is told so on a page, and a program in JSON', async () => {
    const opened = await get('/send', 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect([opened.status, opened.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
    expect(opened.headers.get('content-type')).toContain('text/html')
    expect(await opened.text()).toContain('Only a form can be sent here.')
    const answer = await get('/send', 'application/json')
    expect([answer.status, (await answer.json()).error]).toEqual([405, 'method_not_allowed'])
  })

  test('a path with nothing at it is a page for people and JSON for programs', async () => {
    const page = await get('/nothing/here', 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect([page.status, await page.text()]).toEqual([404, 'lost'])
    expect(page.headers.get('content-type')).toContain('text/html')
    for (const accept of ['application/json', '*/*']) {
      const answer = await get('/nothing/here', accept)
      expect([answer.status, (await answer.json()).error]).toEqual([404, 'not_found'])
    }
    const posted = await node.call('/nothing/here', { method: 'POST', headers: { Accept: 'text/html' } })
    expect((await posted.json()).error).toBe('not_found')
    expect((await get('/*', 'application/json')).status).toBe(404)
  })

  test('where a page and an endpoint share a path, caches are told that Accept decides', async () => {
    expect((await get('/v1/items/a', 'application/json')).headers.get('vary')).toBe('Accept')
    expect((await get('/v1/items/a', 'text/html')).headers.get('vary')).toBe('Accept')
  })
})
