import { SESSION_COOKIE } from '@guildhall/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../../tests/support/test-node.ts'
import { type Page, requireOwner, seeOther } from './page.ts'
import { csrfTokenOf, ENDED_COOKIE, sessionCookie, sessionHash, sessionTokenIn } from './session-cookie.ts'

const ada = 'A'.repeat(43)
const bob = 'B'.repeat(43)
const known = new Map([
  [sessionHash(ada), 'own_ada'],
  [sessionHash(bob), 'own_bob'],
])
const html = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, no-store' }
const pages: readonly Page[] = [
  {
    path: '/console/things',
    session: true,
    render: requireOwner(({ session }) => ({ headers: html, body: session.owner.email })),
  },
  {
    path: '/console/things',
    method: 'POST',
    render: requireOwner(({ form, session }) =>
      seeOther(`/console/${form.name}-${session.owner.id}`, ['one=1', 'two=2']),
    ),
  },
  { path: '/hello', method: 'POST', render: ({ form }) => ({ headers: html, body: JSON.stringify(form) }) },
]

let node: TestNode
beforeAll(async () => {
  node = await startTestNode({
    pages,
    baseUrl: 'https://hall.example',
    findSession: async (hash, now) => {
      const id = known.get(hash)
      if (id === undefined) return null
      const owner = { id, email: `${id}@example.org`, createdAt: now }
      return { owner, session: { id: 'ses_1', ownerId: id, createdAt: now, expiresAt: now + 1 } }
    },
  })
})
afterAll(() => node.stop(0))

const cookie = (token: string) => ({ Cookie: `${SESSION_COOKIE}=${token}` })
const csrf = (token: string) => ({ 'X-CSRF-Token': csrfTokenOf(token) })
const change = (headers: Record<string, string>) =>
  node.call('/v1/owner/mine', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: '{"title":"x"}',
  })
const codeOf = async (answer: Response) => `${answer.status} ${(await answer.json()).error}`

describe('an endpoint for owners', () => {
  test('answers a signed-in person, and no cache may store the answer', async () => {
    const answer = await node.call('/v1/owner/mine', { headers: cookie(ada) })
    expect(await answer.json()).toEqual({ seen: 'own_ada' })
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  test('refuses without a session, with an unknown one, and with two', async () => {
    const two = `${SESSION_COOKIE}=${ada}; ${SESSION_COOKIE}=${bob}`
    for (const headers of [
      {},
      cookie('C'.repeat(43)),
      cookie('short'),
      { Cookie: two },
      { Authorization: 'AgentSig a:b' },
    ])
      expect(await codeOf(await node.call('/v1/owner/mine', { headers }))).toBe('401 auth_required')
    const refused = await node.call('/v1/owner/mine')
    expect((await refused.json()).message).toContain('/v1/owner/sign-in')
    expect(refused.headers.get('cache-control')).toBe('private, no-store')
  })

  test('takes a change only with the token of this very session', async () => {
    expect(await (await change({ ...cookie(ada), ...csrf(ada) })).json()).toEqual({
      seen: { by: 'own_ada', held: false, title: 'x' },
    })
    const wrong = [{}, csrf(bob), { 'X-CSRF-Token': '' }, { 'X-CSRF-Token': `${csrfTokenOf(ada)}x` }]
    for (const headers of wrong)
      expect(await codeOf(await change({ ...cookie(ada), ...headers }))).toBe('403 csrf_failed')
    expect(await codeOf(await change(csrf(ada)))).toBe('401 auth_required')
  })

  test('takes no change from another origin', async () => {
    const own = { ...cookie(ada), ...csrf(ada) }
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://hall.example' },
      { Origin: 'https://hall.example.evil.example' },
      { Origin: 'https://hall.example', 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]
    for (const headers of foreign) expect(await codeOf(await change({ ...own, ...headers }))).toBe('403 csrf_failed')
    const host = new URL(node.url).host
    const ours: Record<string, string>[] = [
      { Origin: 'https://hall.example' },
      { Origin: `https://${host}` },
      { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
    ]
    for (const headers of ours) expect((await change({ ...own, ...headers })).status).toBe(200)
  })

  test('allows nothing to scripts of other origins, in answers, refusals and preflights', async () => {
    const answers = [
      await node.call('/v1/owner/mine', { headers: { ...cookie(ada), Origin: 'https://evil.example' } }),
      await node.call('/v1/owner/mine', { headers: { Origin: 'https://evil.example' } }),
      await node.call('/v1/owner/mine', { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } }),
      await node.call('/v1/owner/mine', { method: 'PUT', headers: { Origin: 'https://evil.example' } }),
    ]
    const names = answers
      .flatMap(({ headers }) => [...headers.keys()])
      .filter((name) => name.startsWith('access-control'))
    expect(names).toEqual([])
    const open = await node.call('/v1/act', { method: 'OPTIONS' })
    expect(open.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('the cookie of a session', () => {
  test('is for this host alone, secure, and out of reach of scripts, for 14 days', () => {
    expect(sessionCookie(ada)).toBe(
      `__Host-guildhall_session=${ada}; Max-Age=1209600; Path=/; Secure; HttpOnly; SameSite=Lax`,
    )
  })

  test('is forgotten under the same name and path', () => {
    expect(ENDED_COOKIE).toBe('__Host-guildhall_session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax')
  })

  test('is found among others, and only under its own name', () => {
    expect(sessionTokenIn(`a=1; ${SESSION_COOKIE}=${ada};b=2`)).toBe(ada)
    expect(sessionTokenIn(`x${SESSION_COOKIE}=${ada}`)).toBeNull()
    expect(sessionTokenIn(undefined)).toBeNull()
  })
})

const form = (path: string, body: string, headers: Record<string, string> = {}) =>
  node.call(path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })

describe('a page that takes a form', () => {
  test('gets its fields, and may lead on and set cookies', async () => {
    expect(await (await form('/hello', 'a=1&b=x+y%26z')).json()).toEqual({ a: '1', b: 'x y&z' })
    const answer = await form('/console/things', `name=n&csrf=${csrfTokenOf(ada)}`, cookie(ada))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/n-own_ada'])
    expect(answer.headers.getSetCookie()).toEqual(['one=1', 'two=2'])
  })

  test('refuses a field sent twice, another media type, and too much, each with a page', async () => {
    const refused = [
      await form('/hello', 'a=1&a=2'),
      await form('/hello', 'a=%zz'),
      await form('/hello', '{}', { 'Content-Type': 'application/json' }),
      await form('/hello', `a=${'x'.repeat(300_000)}`),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 415, 413])
    for (const answer of refused) {
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })

  test('refuses what another site sent, and a session’s form without its token', async () => {
    expect((await form('/hello', 'a=1', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await form('/hello', 'a=1', { Origin: 'https://evil.example' })).status).toBe(403)
    expect((await form('/hello', 'a=1', cookie(ada))).status).toBe(403)
    expect((await form('/hello', `a=1&csrf=${csrfTokenOf(bob)}`, cookie(ada))).status).toBe(403)
    expect((await form('/hello', `a=1&csrf=${csrfTokenOf(ada)}`, cookie(ada))).status).toBe(200)
  })

  test('sends a visitor who is not signed in to the sign-in page, and back', async () => {
    const look = await node.call('/console/things?page=2', { redirect: 'manual' })
    expect([look.status, look.headers.get('location')]).toEqual([
      303,
      '/console/sign-in?next=%2Fconsole%2Fthings%3Fpage%3D2',
    ])
    expect((await form('/console/things', 'name=n')).headers.get('location')).toBe('/console/sign-in?unsent=yes')
    expect(await (await node.call('/console/things', { headers: cookie(bob) })).text()).toBe('own_bob@example.org')
  })

  test('is named with the other methods of its path', async () => {
    expect((await node.call('/console/things', { method: 'PUT' })).headers.get('allow')).toBe(
      'GET, HEAD, OPTIONS, POST',
    )
    expect((await node.call('/hello')).headers.get('allow')).toBe('OPTIONS, POST')
  })
})

describe('an endpoint that answers with a page', () => {
  test('reads a form by its declaration and answers HTML, with its cookies', async () => {
    const answer = await form('/v1/form', 'name=Ada')
    expect([answer.status, await answer.text()]).toEqual([200, '<p>Ada true</p>'])
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  test('refuses with a page that says why, in which nothing of the caller’s is markup', async () => {
    const taken = await form('/v1/form', 'name=taken')
    expect([taken.status, taken.headers.get('content-type')]).toEqual([409, 'text/html; charset=utf-8'])
    expect(await taken.text()).toContain('Somebody &lt;b&gt;else&lt;/b&gt; was quicker.')
    for (const body of ['name=too+long', 'name=a&name=b', '']) expect((await form('/v1/form', body)).status).toBe(400)
    expect((await form('/v1/form', '{"name":"a"}', { 'Content-Type': 'application/json' })).status).toBe(415)
  })
})
