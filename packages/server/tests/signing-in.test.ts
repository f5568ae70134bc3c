import { DAY, HOUR, limits, SECOND, SESSION_COOKIE } from '@guildhall/protocol'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { confirmSignIn, lookAtLink } from '../src/actions/owners/confirm-sign-in.ts'
import { issueSignInLink } from '../src/actions/owners/issue-sign-in-link.ts'
import { secretHash } from '../src/actions/owners/secret-token.ts'
import {
  confirmLink,
  cookieIn,
  linkIn,
  mailsTo,
  mailTo,
  newEmail,
  newOwner,
  openPage,
  ownerWith,
  sendForm,
  signInByMail,
} from './support/owners.ts'
import { outcomeOf, send } from './support/raw.ts'
import { setStage } from './support/stage.ts'

const stage = setStage()
const world = () => stage.node().service.world

const ask = (email: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send(stage, {
    method: 'POST',
    path: '/v1/owner/sign-in',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ email }),
  })

/** A link that nobody was asked for: requests are limited, and not what these tests are about. */
async function newLink(email = newEmail()): Promise<{ email: string; token: string; path: string }> {
  const before = (await mailsTo(stage, email)).length
  await world().store.transaction((tx) => issueSignInLink(world(), tx, { email }))
  await stage.runDue()
  const link = new URL(linkIn(await mailTo(stage, email, before + 1)))
  return { email, token: link.searchParams.get('token') ?? '', path: link.pathname + link.search }
}

const me = (token: string) => ownerWith(stage, '', token).call('GET', '/v1/owner/session')

describe('signing in', () => {
  test('a person asks for a link, confirms it in the browser and is signed in', async () => {
    const email = newEmail()
    expect((await ask(email.toUpperCase())).status).toBe(202)
    const mail = await mailTo(stage, email)
    expect(mail.subject).toBe('Sign in to Guildhall')
    const page = await openPage(stage, new URL(linkIn(mail)).pathname + new URL(linkIn(mail)).search)
    expect([page.status, page.text.includes(`Sign in as ${email}?`)]).toEqual([200, true])
    const owner = await confirmLink(stage, email, linkIn(mail))
    const { body } = await owner.call('GET', '/v1/owner/session')
    expect(body).toMatchObject({ owner: { email }, csrf_token: owner.headers['X-CSRF-Token'] })
    expect((body.owner as { owner_id: string }).owner_id).toMatch(/^own_[0-9A-Za-z]{20,32}$/)
    const again = await signInByMail(stage, email)
    expect((await again.call('GET', '/v1/owner/session')).body.owner).toEqual(body.owner)
  })

  test('the answer is the same for known and unknown addresses', async () => {
    const known = await newOwner(stage)
    const [one, other] = [await ask(known.email), await ask(newEmail())]
    const headersOf = ({ headers }: typeof one) =>
      [...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name))
    expect([one.status, one.body, headersOf(one)]).toEqual([other.status, other.body, headersOf(other)])
  })

  test('what is no mail address is 400, and no mail is sent', async () => {
    for (const email of ['', 'ada', 'ada@example.org\r\nBcc: eve@example.org', `${'a'.repeat(10_000)}@x.org`, 7, null])
      expect(outcomeOf(await ask(email))).toBe('400 bad_request')
    expect(await mailsTo(stage, 'eve@example.org')).toEqual([])
  })

  test('scripts of other origins are not let in', async () => {
    const { headers } = await ask(newEmail(), { Origin: 'https://evil.example' })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('the link is that of the service’s own address, whatever the request says of its host', async () => {
    const email = newEmail()
    await ask(email, { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' })
    const { text } = await mailTo(stage, email)
    expect(text).toContain(`${world().rules.baseUrl}/console/confirm?token=`)
    expect(text).not.toContain('evil')
  })

  test('the sign-in page takes an address, says what is wrong with it, and leads on', async () => {
    const email = newEmail()
    const wrong = await sendForm(stage, '/console/sign-in', { email: '"><script>alert(1)</script>' })
    expect([wrong.status, wrong.text.includes('<script')]).toEqual([400, false])
    expect(wrong.text).toContain('role="alert"')
    const right = await sendForm(stage, '/console/sign-in', { email, next: '/console/account' })
    expect([right.status, right.location]).toEqual([303, '/console/check-mail?next=%2Fconsole%2Faccount'])
    const link = new URL(linkIn(await mailTo(stage, email)))
    expect(link.searchParams.get('next')).toBe('/console/account')
    expect((await openPage(stage, '/console/check-mail')).text).toContain(stage.parts.mailUrl)
  })

  test('asking for another link keeps where the person wanted to go, and leads nowhere else', async () => {
    const again = 'href="/console/sign-in?next=%2Fconsole%2Faccount"'
    const dead = `/console/confirm?token=x`
    for (const path of ['/console/check-mail?', `${dead}&`]) {
      expect((await openPage(stage, `${path}next=%2Fconsole%2Faccount`)).text).toContain(again)
      expect((await openPage(stage, `${path}next=%2F%2Fevil.example`)).text).toContain('href="/console/sign-in"')
    }
    const sent = await sendForm(stage, '/console/confirm', { token: 'x', next: '/console/account' })
    expect(sent.text).toContain(again)
  })
})

describe('a link', () => {
  test('is not used up by programs that look at it', async () => {
    const { token, path } = await newLink()
    for (const method of ['GET', 'HEAD', 'GET']) {
      const page = await openPage(stage, path, {}, method)
      expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
    }
    expect((await sendForm(stage, '/console/confirm', { token })).status).toBe(303)
  })

  test('works once; used, unknown and malformed ones look alike', async () => {
    const { token, path } = await newLink()
    await sendForm(stage, '/console/confirm', { token })
    const dead = [
      await openPage(stage, path),
      await openPage(stage, `/console/confirm?token=${'A'.repeat(43)}`),
      await openPage(stage, '/console/confirm?token=%3Cscript%3E'),
      await openPage(stage, '/console/confirm'),
      await sendForm(stage, '/console/confirm', { token }),
      await sendForm(stage, '/console/confirm', { token: 'x' }),
      await sendForm(stage, '/console/confirm', {}),
    ]
    expect(new Set(dead.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(dead[0]?.status).toBe(400)
    expect(dead.flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
  })

  test('used up, tells whoever is signed in so, and leads to where they wanted to go', async () => {
    const person = await signInByMail(stage)
    const opened = await person.open('/console/confirm?token=x&next=%2Fconsole%2Faccount')
    expect([opened.status, opened.text]).toEqual([
      400,
      expect.stringContaining(`You are signed in as ${person.email}.`),
    ])
    expect(opened.text).toContain('href="/console/account">Go to the console</a>')
    expect(opened.text).not.toContain('Ask for a new link')
  })

  test('confirmed by two at once, signs in one', async () => {
    const { token } = await newLink()
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendForm(stage, '/console/confirm', { token })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(400)])
  })

  test('ends the others of its address when it is used, and no one else’s', async () => {
    const first = await newLink()
    const second = await newLink(first.email)
    const foreign = await newLink()
    const racing = await Promise.all([first, second].map(({ token }) => sendForm(stage, '/console/confirm', { token })))
    expect(racing.map(({ status }) => status).sort()).toEqual([303, 400])
    expect((await openPage(stage, foreign.path)).status).toBe(200)
  })

  test('lasts 15 minutes, to the millisecond', async () => {
    const { token } = await newLink()
    const link = await lookAtLink(world(), token)
    const end = link?.expiresAt ?? 0
    expect(end - (link?.createdAt ?? 0)).toBe(limits.owner.linkMs)
    const at = (now: number) => ({ ...world(), clock: { now: () => now } })
    expect(await lookAtLink(at(end - 1), token)).not.toBeNull()
    expect(await lookAtLink(at(end), token)).toBeNull()
    expect(await confirmSignIn(at(end), token, null)).toBeNull()
    expect(await confirmSignIn(at(end - 1), token, null)).not.toBeNull()
  })

  test('leads only into the console', async () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/console/../..//evil',
      'javascript:x',
    ]) {
      const { token, path } = await newLink()
      expect((await openPage(stage, `${path}&next=${encodeURIComponent(next)}`)).text).not.toContain('evil')
      expect((await sendForm(stage, '/console/confirm', { token, next })).location).toBe('/console')
    }
    const { token } = await newLink()
    expect((await sendForm(stage, '/console/confirm', { token, next: '/console/account' })).location).toBe(
      '/console/account',
    )
  })

  test('cannot be confirmed from another site', async () => {
    const { token } = await newLink()
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }] as const)
      expect((await sendForm(stage, '/console/confirm', { token }, headers)).status).toBe(403)
    expect((await sendForm(stage, '/console/confirm', { token })).status).toBe(303)
  })

  test('and its page leak to nobody: no referrer, no frame, no cache, nothing from elsewhere', async () => {
    const { headers, text } = await openPage(stage, (await newLink()).path)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
    )
    expect(text.match(/(?:src|href|action)="(?!\/|#)[^"]*"/g)).toBeNull()
  })

  test('is stored hashed, as is the session that it opens, and its mail is forgotten when it has left', async () => {
    const [first, second] = [await newLink(), await newLink()]
    const { headers } = await sendForm(stage, '/console/confirm', { token: first.token })
    const sql = new Client({ connectionString: stage.databaseUrl })
    await sql.connect()
    await expect.poll(async () => (await sql.query('select from mails')).rowCount).toBe(0)
    const tables = ['sign_in_links', 'owner_sessions', 'owners', 'mails']
    const texts: string[] = []
    for (const table of tables) texts.push(JSON.stringify((await sql.query(`select row::text from ${table} row`)).rows))
    await sql.end()
    expect(texts[0]).toContain(secretHash(second.token))
    expect(texts[1]).toContain(secretHash(cookieIn(headers)))
    expect(texts[3]).toBe('[]')
    for (const secret of [first.token, second.token, cookieIn(headers)]) expect(texts.join()).not.toContain(secret)
  })
})

type Listed = readonly { readonly session_id: string; readonly current: boolean }[]

describe('a session', () => {
  test('is a new secret at every sign-in, and the one before in the same browser ends', async () => {
    const first = await signInByMail(stage)
    const { token } = await newLink(first.email)
    const planted = 'P'.repeat(43)
    const fixed = await sendForm(stage, '/console/confirm', { token }, { Cookie: `${SESSION_COOKIE}=${planted}` })
    const fresh = cookieIn(fixed.headers)
    expect(fresh).not.toBe(planted)
    expect((await me(planted)).status).toBe(401)
    const next = await newLink(first.email)
    const rotated = await first.submit('/console/confirm', { token: next.token })
    expect(rotated.status).toBe(303)
    expect((await me(first.token)).status).toBe(401)
    expect((await me(cookieIn(rotated.headers))).status).toBe(200)
    expect((await me(fresh)).status).toBe(200)
  })

  test('ends on the server when its owner signs out', async () => {
    const [one, other] = [await newOwner(stage), await newOwner(stage)]
    const { status, headers } = await one.call('POST', '/v1/owner/sign-out')
    expect(status).toBe(200)
    expect(headers.getSetCookie()[0]).toContain(`${SESSION_COOKIE}=; Max-Age=0`)
    expect(outcomeOf(await me(one.token))).toBe('401 auth_required')
    const left = await other.submit('/console/sign-out', {})
    expect([left.status, left.location]).toEqual([303, '/console/sign-in'])
    expect((await me(other.token)).status).toBe(401)
  })

  test('lasts 14 days', async () => {
    const owner = await newOwner(stage)
    const found = await world().store.sessionOf(secretHash(owner.token), stage.now())
    const end = found?.session.expiresAt ?? 0
    expect(end - (found?.session.createdAt ?? 0)).toBe(14 * DAY)
    expect(await world().store.sessionOf(secretHash(owner.token), end - 1)).not.toBeNull()
    expect(await world().store.sessionOf(secretHash(owner.token), end)).toBeNull()
  })

  test('is listed and ended by its owner, here or everywhere else, and by nobody else', async () => {
    const one = await newOwner(stage)
    await stage.moveClocks(SECOND)
    const two = await newOwner(stage, one.email)
    await stage.moveClocks(SECOND)
    const three = await newOwner(stage, one.email)
    const stranger = await newOwner(stage)
    const listed = (await two.call('GET', '/v1/owner/sessions')).body.sessions as Listed
    expect(listed.map(({ current }) => current)).toEqual([false, true, false])
    const id = listed[2]?.session_id ?? ''
    const refused = await stranger.call('DELETE', `/v1/owner/sessions/${id}`)
    expect(outcomeOf(refused)).toBe('404 not_found')
    expect(refused.body).toMatchObject({ resource: 'session', message: 'You have no open session with this id.' })
    expect((await me(one.token)).status).toBe(200)
    expect((await two.call('DELETE', `/v1/owner/sessions/${id}`)).status).toBe(200)
    expect((await me(one.token)).status).toBe(401)
    expect((await two.call('DELETE', '/v1/owner/sessions')).body).toEqual({ ok: true, ended: 1 })
    expect([(await me(three.token)).status, (await me(two.token)).status]).toEqual([401, 200])
  })

  test('is shown with its others on the account page, where they can be ended', async () => {
    const owner = await newOwner(stage)
    const other = await newOwner(stage, owner.email)
    const page = await owner.open('/console/account')
    expect(page.text).toContain(owner.email)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect((await owner.submit('/console/account/sessions', {})).location).toBe('/console/account')
    expect((await me(other.token)).status).toBe(401)
    expect((await openPage(stage, '/console/account')).location).toBe('/console/sign-in?next=%2Fconsole%2Faccount')
  })

  test('is ended by the first of two clicks, and the second leads to the same page', async () => {
    const owner = await newOwner(stage)
    const other = await newOwner(stage, owner.email)
    const listed = (await owner.call('GET', '/v1/owner/sessions')).body.sessions as Listed
    const session = listed.find(({ current }) => !current)?.session_id ?? ''
    const twice = [1, 2].map(() => owner.submit('/console/account/sessions', { session }))
    expect((await Promise.all(twice)).map(({ location }) => location)).toEqual(['/console/account', '/console/account'])
    expect((await me(other.token)).status).toBe(401)
  })

  test('is not asked for again: the sign-in page leads to where the person wanted to go, inside the console', async () => {
    const owner = await newOwner(stage)
    const asked = async (query: string) => (await owner.open(`/console/sign-in${query}`)).location
    expect(await asked('?next=%2Fconsole%2Ftasks%3Fpage%3D2')).toBe('/console/tasks?page=2')
    expect(await asked('')).toBe('/console')
    expect(await asked('?next=%2F%2Fevil.example')).toBe('/console')
  })

  test('takes no change without its token, with another session’s, or from another site', async () => {
    const [one, other] = [await newOwner(stage), await newOwner(stage)]
    const change = (headers: Readonly<Record<string, string>>) =>
      one.call('POST', '/v1/owner/sign-out', undefined, headers)
    expect(outcomeOf(await change({ 'X-CSRF-Token': '' }))).toBe('403 csrf_failed')
    expect(outcomeOf(await change({ 'X-CSRF-Token': other.headers['X-CSRF-Token'] ?? '' }))).toBe('403 csrf_failed')
    expect(outcomeOf(await change({ Origin: 'https://evil.example' }))).toBe('403 csrf_failed')
    expect((await me(one.token)).status).toBe(200)
  })
})

describe('limits', () => {
  test('an inbox gets five links an hour, whatever stands behind its +, then 429 with the time to wait; the next hour it gets more', async () => {
    await stage.travel(HOUR)
    const email = newEmail()
    for (let count = 0; count < limits.owner.signIn.perHourPerAddress; count++)
      expect((await ask(email)).status).toBe(202)
    const refused = await ask(email)
    expect(outcomeOf(refused)).toBe('429 rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit-policy')).toBe('"sign-in-address";q=5;w=3600')
    expect(refused.headers.get('ratelimit')).toMatch(/^"sign-in-address";r=0;t=\d+$/)
    expect(outcomeOf(await ask(email.replace('@', '+another@')))).toBe('429 rate_limited')
    expect((await ask(newEmail())).status).toBe(202)
    await mailTo(stage, email, limits.owner.signIn.perHourPerAddress)
    await stage.travel(Number(refused.headers.get('retry-after')) * SECOND)
    expect((await ask(email)).status).toBe(202)
  })

  test('addresses that are none use up no limit, at the endpoint or on the page', async () => {
    await stage.travel(HOUR)
    for (let count = 0; count < limits.owner.signIn.perHourPerIp; count++) {
      const refused = await ask('no-at')
      expect(outcomeOf(refused)).toBe('400 bad_request')
      expect(refused.headers.get('ratelimit-policy')).toBe('"sign-in";q=30;w=3600, "sign-in-address";q=5;w=3600')
      expect(refused.headers.get('ratelimit')).toBe('"sign-in";r=30;t=3600')
      expect((await sendForm(stage, '/console/sign-in', { email: 'no-at' })).status).toBe(400)
    }
    expect((await ask(newEmail())).headers.get('ratelimit')).toBe('"sign-in";r=29;t=3600')
  })

  test('a network asks for thirty links an hour, on the page and at the endpoint together', async () => {
    await stage.travel(HOUR)
    const { perHourPerIp } = limits.owner.signIn
    for (let count = 0; count < perHourPerIp - 1; count++) expect((await ask(newEmail())).status).toBe(202)
    expect((await sendForm(stage, '/console/sign-in', { email: newEmail() })).status).toBe(303)
    const refused = await ask(newEmail())
    expect(outcomeOf(refused)).toBe('429 rate_limited')
    expect(refused.headers.get('ratelimit')).toMatch(/^"sign-in";r=0;t=\d+$/)
    const page = await sendForm(stage, '/console/sign-in', { email: newEmail() })
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
    await stage.travel(HOUR)
    expect((await ask(newEmail())).status).toBe(202)
  })
})

describe('a service without mail', () => {
  test('says that nobody can sign in', async () => {
    const node = await stage.startNode({ GUILDHALL_SMTP_URL: '', GUILDHALL_ROLE: 'api' })
    const answer = await fetch(`${node.url}/v1/owner/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: newEmail() }),
    })
    expect([answer.status, (await answer.json()).error]).toEqual([503, 'mail_unavailable'])
    await stage.stopNode(node)
  })
})
