import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Readonly<Record<string, unknown>>

/** What the provider says of the next person, and how it signs that. */
export type Lie = {
  readonly claims?: Json
  readonly header?: Json
  /** `stranger`: with a key that it has not published; `secret`: with the client's secret; `none`: not at all. */
  readonly signedBy?: 'itself' | 'stranger' | 'secret' | 'none'
  /** In place of the tokens. */
  readonly answer?: Json
  readonly status?: number
}

export type LyingProvider = Awaited<ReturnType<typeof startLyingProvider>>

/** An OpenID provider that says what it is told to; real ones do not lie on demand. */
export async function startLyingProvider({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let lie: Lie = {}
  let now = Date.now
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    switch (request.url?.split('?')[0]) {
      case '/.well-known/openid-configuration':
        return send(200, metadata(issuer))
      case '/keys':
        return send(200, {
          keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }],
        })
      case '/token':
        return send(lie.status ?? 200, lie.answer ?? tokens())
      default:
        return send(404, {})
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const tokens = () => ({ access_token: 'access', token_type: 'bearer', expires_in: 60, id_token: idToken() })

  function idToken(): string {
    const { claims = {}, header = {}, signedBy = 'itself' } = lie
    const at = Math.floor(now() / 1000)
    const head = { alg: 'RS256', kid: 'own', typ: 'JWT', ...header }
    const said = {
      iss: issuer,
      sub: 'person',
      aud: clientId,
      iat: at,
      exp: at + 60,
      email: 'eve@example.com',
      ...claims,
    }
    const text = [head, said].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${text}.${signatures[signedBy](text)}`
  }

  const byKey = (key: KeyObject) => (text: string) => sign('sha256', Buffer.from(text), key).toString('base64url')
  const signatures = {
    itself: byKey(own.privateKey),
    stranger: byKey(stranger.privateKey),
    secret: (text: string) => createHmac('sha256', clientSecret).update(text).digest('base64url'),
    none: () => '',
  }

  return {
    issuer,
    say(next: Lie): void {
      lie = next
    },
    followClock(clock: () => number): void {
      now = clock
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
    },
  }
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
})
