import Provider from 'oidc-provider'
import type { Accounts } from './accounts.ts'
import { CLIENT_ID } from './client-id.ts'
import type { IdentityKeys } from './identity-keys.ts'

const CALLBACK_PATH = '/v1/agentid/callback'
const CODE_SECONDS = 600

/** The oidc-provider package, set up for the sandbox's one client. */
export function createProvider(issuer: string, keys: IdentityKeys, accounts: Accounts): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: keys.clientSecret,
        redirect_uris: [`http://127.0.0.1${CALLBACK_PATH}`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [keys.signing as { kty: 'RSA'; e: string; n: string }] },
    cookies: { keys: [keys.cookies] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    ttl: { AuthorizationCode: CODE_SECONDS, Session: CODE_SECONDS, Grant: CODE_SECONDS, AccessToken: CODE_SECONDS },
    // Somebody else may sign in in the same browser before the first has made up their mind.
    expiresWithSession: () => false,
    findAccount(_, id) {
      const account = accounts.find(id)
      if (account === null) return undefined
      const { email, name } = account
      return {
        accountId: id,
        claims: () => ({ sub: id, email, email_verified: true, ...(name === null ? {} : { name }) }),
      }
    },
    // Signing in is consent enough: there is one form, and one client.
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId
      if (accountId === undefined) return undefined
      const grant = new provider.Grant({ clientId: CLIENT_ID, accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  // A node of the sandbox may be at any address of this machine.
  provider.Client.prototype.redirectUriAllowed = (uri: string) =>
    URL.canParse(uri) && new URL(uri).pathname === CALLBACK_PATH
  return provider
}
