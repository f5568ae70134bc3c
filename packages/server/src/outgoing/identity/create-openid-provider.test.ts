import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '@guildhall/protocol'
import { freePort, type IdentityProvider, identityKeys, startIdentityProvider } from '@guildhall/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJar } from '../../../tests/support/browser-jar.ts'
import { signIn } from '../../../tests/support/sign-in.ts'
import { createOpenidProvider } from './create-openid-provider.ts'

const CALLBACK = 'http://127.0.0.1:9/v1/agentid/callback'
const ADA = { email: 'Ada@Example.com', name: 'Ada Lovelace' }
const log = { info() {}, warn() {}, alarm() {} }
let directory: string
let provider: IdentityProvider
let offset = 0

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-identity-'))
  const keys = await identityKeys(join(directory, 'identity.json'))
  provider = await startIdentityProvider({ keys, clockOffsetMs: 0, port: await freePort(), log: () => {} })
})

afterAll(async () => {
  await provider.stop()
  await rm(directory, { recursive: true, force: true })
})

const client = (changes: Partial<Parameters<typeof createOpenidProvider>[0]> = {}) =>
  createOpenidProvider({
    ...provider.place,
    name: 'the provider',
    insecure: true,
    redirectUri: CALLBACK,
    key: new Uint8Array(32).fill(7),
    clock: { now: () => Date.now() + offset },
    log,
    ...changes,
  })

/** What the provider has a browser say that came with this state. */
async function answerFor(state: string, changes?: Parameters<typeof client>[0]): Promise<URLSearchParams> {
  const address = await client(changes).addressFor(state)
  if (address.kind !== 'address') throw new Error(address.reason)
  const { url } = await signIn(openJar(), address.url, ADA, CALLBACK)
  return new URL(url).searchParams
}

const codeFor = async (state: string): Promise<string> => (await answerFor(state)).get('code') ?? ''

test('a person is sent to the provider with state, nonce and a PKCE challenge', async () => {
  const address = await client().addressFor('a-state')
  if (address.kind !== 'address') throw new Error(address.reason)
  const { origin, searchParams } = new URL(address.url)
  expect(origin).toBe(provider.place.issuer)
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'guildhall',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'a-state',
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
})

test('the code of a sign-in says who signed in, once', async () => {
  const code = await codeFor('once')
  const found = await client().identify({ state: 'once', code })
  expect(found).toEqual({
    kind: 'identified',
    identity: {
      issuer: provider.place.issuer,
      subject: expect.stringMatching(/^[0-9a-f]{32}$/),
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada Lovelace',
    },
  })
  expect(await client().identify({ state: 'once', code })).toMatchObject({ kind: 'code refused' })
})

test('the provider names itself in its answer, and only its own answers are taken', async () => {
  const answer = await answerFor('named')
  expect(answer.get('iss')).toBe(provider.place.issuer)
  expect(await client().isAnswerFrom(answer.get('iss'))).toBe(true)
  expect(await client().isAnswerFrom('https://elsewhere.example')).toBe(false)
  expect(await client().isAnswerFrom(null)).toBe(false)
})

test('a code is worth nothing with another state, key, client or address', async () => {
  const attempt = async (changes: Parameters<typeof client>[0], state = 'mine') =>
    (await client(changes).identify({ state, code: await codeFor('mine') })).kind
  expect(await attempt({}, 'yours')).toBe('code refused')
  expect(await attempt({ key: new Uint8Array(32) })).toBe('code refused')
  expect(await attempt({ redirectUri: 'http://127.0.0.1:8/v1/agentid/callback' })).toBe('code refused')
  expect(await attempt({ clientSecret: 'wrong' })).toBe('unavailable')
  expect(await attempt({})).toBe('identified')
})

test('time is the service’s own: the provider follows the moved clock, and a token from another time does not hold', async () => {
  offset = 30 * DAY
  const early = await codeFor('before the move')
  expect(await client().identify({ state: 'before the move', code: early })).toMatchObject({ kind: 'untrue' })
  await provider.setClockOffset(offset)
  const code = await codeFor('after the move')
  expect(await client().identify({ state: 'after the move', code })).toMatchObject({ kind: 'identified' })
  offset = 0
  await provider.setClockOffset(0)
})

test('a provider that is down, or calls itself something else, is not available', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  expect(await client({ issuer: nobody }).addressFor('x')).toMatchObject({ kind: 'unavailable' })
  expect(await client({ issuer: nobody }).identify({ state: 'x', code: 'y' })).toMatchObject({ kind: 'unavailable' })
  const alias = provider.place.issuer.replace('127.0.0.1', 'localhost')
  expect(await client({ issuer: alias }).addressFor('x')).toMatchObject({ kind: 'unavailable' })
})

test('plain HTTP is refused where it is not allowed', async () => {
  expect(await client({ insecure: false }).addressFor('x')).toMatchObject({ kind: 'unavailable' })
})
