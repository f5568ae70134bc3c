import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lie, type LyingProvider, startLyingProvider } from '../../../tests/support/lying-provider.ts'
import { answerSecrets } from './answer-secrets.ts'
import { createOpenidProvider } from './create-openid-provider.ts'

const KEY = new Uint8Array(32).fill(3)
const STATE = 'the-state'
const { nonce } = answerSecrets(KEY, STATE)
const place = { clientId: 'guildhall', clientSecret: 'a secret of the client' }
const log = { info() {}, warn() {}, alarm() {} }
const seconds = () => Math.floor(Date.now() / 1000)
let liar: LyingProvider

beforeAll(async () => {
  liar = await startLyingProvider(place)
})
afterAll(() => liar.stop())

async function identify(lie: Lie) {
  liar.say(lie)
  const settings = { ...place, issuer: liar.issuer, name: 'liar', insecure: true, redirectUri: 'http://127.0.0.1:9/x' }
  return createOpenidProvider({ ...settings, key: KEY, clock: { now: Date.now }, log }).identify({
    state: STATE,
    code: 'a-code',
  })
}

test('a true token identifies its person', async () => {
  expect(await identify({ claims: { nonce } })).toEqual({
    kind: 'identified',
    identity: { issuer: liar.issuer, subject: 'person', email: 'eve@example.com', emailVerified: false, name: null },
  })
})

const lies: readonly (readonly [string, (issuer: string) => Lie])[] = [
  ['signed by a stranger', () => ({ claims: { nonce }, signedBy: 'stranger' })],
  ['signed by nobody', () => ({ claims: { nonce }, signedBy: 'none', header: { alg: 'none' } })],
  ['signed with the client’s secret', () => ({ claims: { nonce }, signedBy: 'secret', header: { alg: 'HS256' } })],
  ['signed by a key that is not published', () => ({ claims: { nonce }, header: { kid: 'another' } })],
  ['of another nonce', () => ({ claims: { nonce: answerSecrets(KEY, 'another').nonce } })],
  ['without a nonce', () => ({})],
  ['of another issuer', () => ({ claims: { nonce, iss: 'https://elsewhere.example' } })],
  ['for another audience', () => ({ claims: { nonce, aud: 'somebody else' } })],
  ['for several, authorised for another', (issuer) => ({ claims: { nonce, aud: ['guildhall', issuer], azp: issuer } })],
  ['that has expired', () => ({ claims: { nonce, iat: seconds() - 900, exp: seconds() - 600 } })],
  ['that is not valid yet', () => ({ claims: { nonce, nbf: seconds() + 600 } })],
  ['without an end', () => ({ claims: { nonce, exp: undefined } })],
  ['without a subject', () => ({ claims: { nonce, sub: undefined } })],
  ['that is missing', () => ({ answer: { access_token: 'a', token_type: 'bearer' } })],
]

test.each(lies)('a token %s is not believed', async (_, lie) => {
  expect(await identify(lie(liar.issuer))).toMatchObject({ kind: 'untrue' })
})

test('a provider in trouble has said nothing', async () => {
  expect(await identify({ status: 500, answer: {} })).toMatchObject({ kind: 'unavailable' })
  expect(await identify({ status: 400, answer: { error: 'invalid_client' } })).toMatchObject({ kind: 'unavailable' })
  expect(await identify({ status: 400, answer: { error: 'invalid_grant' } })).toMatchObject({ kind: 'code refused' })
})
