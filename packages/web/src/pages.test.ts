import { type Endpoint, endpoints } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { forbidden, nestingFault, twice, valuesOf } from '../tests/support/markup.ts'
import { errorPage, notFoundPage } from './error-page.ts'
import { createPages } from './pages.ts'

const counts = { openTasks: 1, paidTasks: 2, paidUsdc: '1234567.50', agents: 3456, ledgerEntries: 4 }
const site = {
  serviceName: 'Guildhall',
  baseUrl: 'http://127.0.0.1:8787',
  sandbox: true,
  mailUrl: 'http://127.0.0.1:8025/',
  counts: async () => counts,
}
const pages = createPages(site)
const request = { requestId: 'req_00000000' }

async function bodyOf(path: string, from = pages): Promise<string> {
  const page = from.find((candidate) => candidate.path === path)
  if (!page) throw new Error(`no page at ${path}`)
  return (await page.render(request)).body
}

const ofPages = ['/', '/docs']

test('the pages of a service are these', () => {
  expect(pages.map(({ path }) => path)).toEqual([
    '/',
    '/docs',
    '/assets/guildhall.css',
    '/assets/guildhall.svg',
    '/favicon.ico',
    '*',
  ])
})

test.each(ofPages)(
  '%s is well formed, has landmarks, one heading of the first order and a way past the navigation',
  async (path) => {
    const page = await bodyOf(path)
    expect(nestingFault(page)).toBeNull()
    expect(page.match(/<h1[ >]/g)?.length).toBe(1)
    for (const part of ['<html lang="en">', '<header', '<nav aria-label=', '<main id="main"', '<footer', '<title>']) {
      expect(page).toContain(part)
    }
    expect(page.indexOf('href="#main"')).toBeLessThan(page.indexOf('<header'))
  },
)

test.each(ofPages)('%s has every id once, and every anchor leads somewhere', async (path) => {
  const page = await bodyOf(path)
  const ids = valuesOf(page, 'id')
  expect(twice(ids)).toEqual([])
  const anchors = valuesOf(page, 'href').filter((href) => href.startsWith('#'))
  expect(anchors.filter((href) => !ids.includes(href.slice(1)))).toEqual([])
  expect(valuesOf(page, 'aria-labelledby').filter((id) => !ids.includes(id))).toEqual([])
})

test('the first page leads people to where they post a task', async () => {
  expect(valuesOf(await bodyOf('/'), 'href')).toEqual(expect.arrayContaining(['/console', '/console/tasks/new']))
})

test.each(ofPages)('%s links only to what the service has', async (path) => {
  const declared = Object.values(endpoints as Record<string, Endpoint>).flatMap((each) => [
    each.path,
    ...(each.alsoAt ?? []),
  ])
  const known = new Set([
    '/skill.md',
    '/console',
    '/console/tasks/new',
    '/board',
    '/ledger',
    '/status',
    ...declared,
    ...pages.map((page) => page.path),
    site.mailUrl,
  ])
  const links = valuesOf(await bodyOf(path), 'href').filter((href) => !href.startsWith('#'))
  expect(links.filter((href) => !known.has(href.split('?')[0] ?? ''))).toEqual([])
})

test('the first page leads to everything that can be read', async () => {
  const links = valuesOf(await bodyOf('/'), 'href')
  for (const path of ['/docs', '/openapi.json', '/v1/health', '/status', '/board', '/ledger', '/v1/escrow/reserves']) {
    expect(links).toContain(path)
  }
})

test('the first page shows the numbers of the service, and none when they cannot be had', async () => {
  const page = await bodyOf('/')
  for (const text of ['1,234,567.50', '3,456']) expect(page).toContain(`<dd>${text}</dd>`)
  const silent = createPages({ ...site, counts: () => Promise.reject(new Error('down')) })
  expect(await bodyOf('/', silent)).not.toContain('<dl')
})

test('a sandbox says so, with faucet, clock and mail page; a service does not', async () => {
  const notes = ['This is a sandbox', '/v1/sandbox/faucet', '/v1/sandbox/clock', site.mailUrl]
  const sandbox = await bodyOf('/')
  const service = await bodyOf('/', createPages({ ...site, sandbox: false }))
  expect(notes.map((note) => sandbox.includes(note))).toEqual([true, true, true, true])
  expect(notes.map((note) => service.includes(note))).toEqual([false, false, false, false])
})

test('nothing in a page needs more than the strict policy allows', async () => {
  const all = [await bodyOf('/'), await bodyOf('/docs'), notFoundPage(), errorPage(500, 'Sorry', 'Try again.')]
  expect(all.flatMap(forbidden)).toEqual([])
  for (const page of pages) {
    const { headers } = await page.render(request)
    expect(headers['Content-Security-Policy']).toContain("default-src 'none'")
    expect(headers['Content-Security-Policy']).toContain("frame-ancestors 'none'")
    expect(headers['Content-Security-Policy']).not.toContain('unsafe')
  }
})

test('the first page answers only those who ask for HTML', () => {
  const [home] = pages
  expect(home?.accepts?.('text/html,application/xhtml+xml')).toBe(true)
  expect(home?.accepts?.('application/json')).toBe(false)
  expect(home?.accepts?.('text/markdown')).toBe(false)
})

test('what visitors could choose is escaped wherever it appears', async () => {
  const hostile = '"><script>alert(1)</script>'
  const odd = createPages({
    ...site,
    serviceName: hostile,
    mailUrl: 'javascript:alert(1)',
    baseUrl: `http://x/${hostile}`,
  })
  const all = [
    await bodyOf('/', odd),
    await bodyOf('/docs', odd),
    errorPage(400, hostile, hostile, { requestId: hostile }),
  ]
  for (const page of all) {
    expect(page).not.toContain('<script')
    expect(nestingFault(page)).toBeNull()
    expect(valuesOf(page, 'href').filter((href) => href.startsWith('javascript'))).toEqual([])
  }
})

test('an error page says what went wrong', () => {
  const page = errorPage(503, 'Back soon', 'The service is being moved.', { requestId: 'req_12345678' })
  for (const text of ['503', 'Back soon', 'The service is being moved.', 'req_12345678']) expect(page).toContain(text)
  expect(notFoundPage()).toContain('404')
})

test('pages stay small enough for a telephone', async () => {
  const sizes = await Promise.all(pages.map(async ({ path }) => (await bodyOf(path)).length))
  const [home = 0, reference = 0, css = 0, icon = 0] = sizes
  expect(home).toBeLessThan(20_000)
  expect(reference).toBeLessThan(1_000_000)
  expect(css).toBeLessThan(20_000)
  expect(icon).toBeLessThan(1_000)
})

test('a browser that asks for an unknown path is shown a page that says so', async () => {
  const page = pages.find(({ path }) => path === '*')
  expect([page?.accepts?.('text/html,*/*'), page?.accepts?.('application/json'), page?.accepts?.('*/*')]).toEqual([
    true,
    false,
    false,
  ])
  const answer = await page?.render(request)
  expect(answer?.status).toBe(404)
  expect(answer?.headers['Cache-Control']).toBe('no-store')
  expect(answer?.body).toContain('There is nothing here')
  expect(answer?.body).toContain(request.requestId)
})
