import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { writeDurably } from '../write-durably.ts'

/** The secrets of a sandbox's OpenID provider: made once, kept in its data directory. */
export type IdentityKeys = {
  readonly signing: JsonWebKey & { readonly kid: string }
  readonly cookies: string
  readonly clientSecret: string
}

export async function identityKeys(path: string): Promise<IdentityKeys> {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as IdentityKeys
  // Takes a few tenths of a second, in which the other parts start.
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const secret = () => randomBytes(32).toString('base64url')
  const keys: IdentityKeys = {
    signing: { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: secret().slice(0, 12) },
    cookies: secret(),
    clientSecret: secret(),
  }
  await writeDurably(path, JSON.stringify(keys))
  return keys
}
