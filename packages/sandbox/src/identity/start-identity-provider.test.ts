import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('what it publishes of its key is no secret', async () => {
  const { keys } = await read('/jwks')
  expect(Object.keys((keys as object[])[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
})

test('somebody who comes with nothing is not asked who they are', async () => {
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

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
