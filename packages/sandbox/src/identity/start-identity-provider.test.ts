import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { DAY } from '@guildhall/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { identityKeys } from './identity-keys.ts'
import { type IdentityProvider, startIdentityProvider } from './start-identity-provider.ts'

let directory: string
let port: number
let provider: IdentityProvider

const start = async (): Promise<IdentityProvider> => {
  const keys = await identityKeys(join(directory, 'identity.json'))
  return startIdentityProvider({ keys, port, clockOffsetMs: 0, log: () => {} })
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-provider-'))
  port = await freePort()
  provider = await start()
})

afterAll(async () => {
  await provider.stop()
  await rm(directory, { recursive: true })
})

const read = async (path: string): Promise<Record<string, unknown>> =>
  (await (await fetch(`${provider.place.issuer}${path}`)).json()) as Record<string, unknown>

test('the provider publishes what a client has to know of it', async () => {
  expect(await read('/.well-known/openid-configuration')).toMatchObject({
    issuer: provider.place.issuer,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
  })
})

test('restarted, it is found where it was, with the same keys and the same secret of its client', async () => {
  const before = [provider.place, await read('/jwks')]
  await provider.stop()
  provider = await start()
  expect([provider.place, await read('/jwks')]).toEqual(before)
})

test('it publishes only the public part of its key', async () => {
  const { keys } = await read('/jwks')
  expect(Object.keys((keys as object[])[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
})

test('a visitor without a valid request is not asked to sign in', async () => {
  expect((await fetch(`${provider.place.issuer}/interaction/unknown`)).status).toBe(400)
  expect((await fetch(`${provider.place.issuer}/auth?client_id=another&response_type=code`)).status).toBe(400)
  const elsewhere = new URLSearchParams({
    client_id: 'guildhall',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: 'http://127.0.0.1:1/elsewhere',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const refused = await fetch(`${provider.place.issuer}/auth?${elsewhere}`, { redirect: 'manual' })
  expect([refused.status, refused.headers.get('location')]).toEqual([400, null])
})

/** The provider's clock, by the expiry of a cookie that it has just set. */
async function cookieExpiry(): Promise<number> {
  const asked = new URLSearchParams({
    client_id: 'guildhall',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: 'http://127.0.0.1/v1/agentid/callback',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const { headers } = await fetch(`${provider.place.issuer}/auth?${asked}`, { redirect: 'manual' })
  const [, expires = ''] = /expires=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? []
  return Date.parse(expires)
}

const answers = async () => {
  while (!(await fetch(provider.place.issuer).catch(() => null))) await pause(20)
}

test('its clock can be moved while it runs and while its thread is gone', async () => {
  await provider.stop()
  const made = once(process, 'worker') as Promise<[Worker]>
  provider = await start()
  const thread = (await made)[0]
  const real = await cookieExpiry()
  await provider.setClockOffset(DAY)
  expect((await cookieExpiry()) - real).toBeGreaterThanOrEqual(DAY)

  const next = once(process, 'worker')
  await thread.terminate()
  await provider.setClockOffset(2 * DAY)
  await next
  await answers()
  expect((await cookieExpiry()) - real).toBeGreaterThanOrEqual(2 * DAY)
})

test('its clock can be moved while its thread is started again', async () => {
  await provider.stop()
  const made = once(process, 'worker') as Promise<[Worker]>
  provider = await start()
  const real = await cookieExpiry()
  const next = once(process, 'worker')
  await (await made)[0].terminate()
  await next
  await provider.setClockOffset(3 * DAY)
  await answers()
  expect((await cookieExpiry()) - real).toBeGreaterThanOrEqual(3 * DAY)
})

test('a thread that ends before it is ready fails the start', async () => {
  await provider.stop()
  process.once('worker', (thread: Worker) => void thread.terminate())
  await expect(start()).rejects.toThrow('Its thread ended at once.')
  provider = await start()
})

test('stopped while it is started again, it stays stopped', async () => {
  await provider.stop()
  const made = once(process, 'worker') as Promise<[Worker]>
  provider = await start()
  const next = once(process, 'worker') as Promise<[Worker]>
  await (await made)[0].terminate()
  const ended = once((await next)[0], 'exit')
  await provider.stop()
  await ended
  await expect(fetch(provider.place.issuer)).rejects.toThrow()
  provider = await start()
})
