import { SECOND } from '@guildhall/protocol'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockSkew,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  None,
  type ServerMetadata,
} from 'openid-client'
import type { Clock } from '../../ports/clock.ts'
import type { IdentityProvider, ProvidedIdentity } from '../../ports/identity-provider.ts'
import type { Log } from '../../ports/log.ts'
import { answerSecrets } from './answer-secrets.ts'
import { createDiscovery } from './discover.ts'
import { reasonOf, whyNotIdentified } from './why-not-identified.ts'

export type OpenidSettings = {
  readonly issuer: string
  readonly name: string
  readonly clientId: string
  /** Null: a public client, which PKCE alone protects. */
  readonly clientSecret: string | null
  /** Allows plain HTTP; only the sandbox sets it. */
  readonly insecure: boolean
}

type Options = OpenidSettings & {
  readonly redirectUri: string
  readonly key: Uint8Array
  readonly clock: Clock
  readonly log: Log
}

const SCOPE = 'openid email profile'
const ANSWER_SECONDS = 5

/** An OpenID provider: authorization code flow with PKCE, state, nonce and signed tokens, by the service's clock. */
export function createOpenidProvider(options: Options): IdentityProvider {
  const { issuer, name, redirectUri, key, log } = options
  const discover = createDiscovery(options)

  async function reached<T>(work: (server: ServerMetadata) => Promise<T> | T) {
    const found = await discover()
    return 'kind' in found ? found : work(found.server)
  }

  return {
    issuer,
    name,
    addressFor: (state) =>
      reached(async (server) => {
        const { nonce, verifier } = answerSecrets(key, state)
        const url = buildAuthorizationUrl(configured(options, server), {
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: SCOPE,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return { kind: 'address', url: url.href }
      }),
    isAnswerFrom: (given) =>
      given === null
        ? reached((server) => server.authorization_response_iss_parameter_supported !== true)
        : Promise.resolve(given === issuer),
    identify: ({ state, code }) =>
      reached(async (server) => {
        try {
          const identity = await exchange(configured(options, server), options, { state, code })
          return { kind: 'identified', identity }
        } catch (error) {
          const failure = whyNotIdentified(error)
          log.warn('a person could not be identified', failure)
          return failure
        }
      }),
  }
}

/** Created for each use, because it takes the clock's offset as a constant. */
function configured({ clientId, clientSecret, insecure, clock }: Options, server: ServerMetadata): Configuration {
  const ahead = Math.round((clock.now() - Date.now()) / SECOND)
  const config = new Configuration(server, clientId, { [clockSkew]: ahead }, authenticationAt(server, clientSecret))
  config.timeout = ANSWER_SECONDS
  enableNonRepudiationChecks(config)
  if (insecure) allowInsecureRequests(config)
  return config
}

function authenticationAt(server: ServerMetadata, secret: string | null) {
  if (secret === null) return None()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

async function exchange(
  config: Configuration,
  { issuer, redirectUri, key, log }: Options,
  { state, code }: { readonly state: string; readonly code: string },
): Promise<ProvidedIdentity> {
  const { nonce, verifier } = answerSecrets(key, state)
  // The issuer was already checked when the answer came in.
  const answer = new URL(`${redirectUri}?${new URLSearchParams({ code, state, iss: issuer })}`)
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  const tokens = await authorizationCodeGrant(config, answer, checks)
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('There is no ID token.')
  return { issuer: claims.iss, subject: claims.sub, ...(await personOf(config, claims, tokens.access_token, log)) }
}

/** The token proves who they are. Name and address are optional, and may come from the userinfo endpoint. */
async function personOf(config: Configuration, claims: IDToken, accessToken: string, log: Log) {
  const told = claims.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined
  const more = told
    ? {}
    : await fetchUserInfo(config, accessToken, claims.sub).catch((error: unknown) => {
        log.warn('the provider did not give a person’s name and mail address', { reason: reasonOf(error) })
        return {}
      })
  const said: Readonly<Record<string, unknown>> = { ...claims, ...more }
  return { email: textOrNull(said.email), emailVerified: said.email_verified === true, name: textOrNull(said.name) }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
