import { expect, test } from 'vitest'
import { openidOf } from './read-openid.ts'

function read(environment: Readonly<Record<string, string>>, mode: 'production' | 'sandbox' = 'production') {
  const problems: string[] = []
  const openid = openidOf((name, fallback) => environment[name] || fallback, mode, problems)
  return { openid, problems }
}

const ISSUER = { GUILDHALL_OIDC_ISSUER: 'https://accounts.example/realm' }
const CLIENT = { GUILDHALL_OIDC_CLIENT_ID: 'guildhall' }

test('without an issuer there is no identity provider', () => {
  expect(read({})).toEqual({ openid: null, problems: [] })
})

test('a provider needs an issuer and a client id; a secret and a name are a choice', () => {
  expect(read({ ...ISSUER, ...CLIENT })).toEqual({
    openid: {
      issuer: 'https://accounts.example/realm',
      name: 'accounts.example',
      clientId: 'guildhall',
      clientSecret: null,
      insecure: false,
    },
    problems: [],
  })
  const more = { GUILDHALL_OIDC_CLIENT_SECRET: 'hush', GUILDHALL_OIDC_NAME: 'Example accounts' }
  expect(read({ ...ISSUER, ...CLIENT, ...more }).openid).toMatchObject({
    name: 'Example accounts',
    clientSecret: 'hush',
  })
})

test('what is missing or wrong is named', () => {
  expect(read(CLIENT).problems).toEqual([expect.stringContaining('GUILDHALL_OIDC_ISSUER is missing')])
  expect(read(ISSUER).problems).toEqual([expect.stringContaining('GUILDHALL_OIDC_CLIENT_ID is missing')])
  for (const issuer of ['accounts', 'ftp://accounts.example', 'https://a.example/?x=1', 'https://u@a.example'])
    expect(read({ GUILDHALL_OIDC_ISSUER: issuer, ...CLIENT }).problems).toHaveLength(1)
})

test('plain HTTP is for the sandbox', () => {
  const plain = { GUILDHALL_OIDC_ISSUER: 'http://127.0.0.1:9', ...CLIENT }
  expect(read(plain).problems).toEqual([expect.stringContaining('plain HTTP')])
  expect(read(plain, 'sandbox')).toMatchObject({ openid: { insecure: true }, problems: [] })
})
