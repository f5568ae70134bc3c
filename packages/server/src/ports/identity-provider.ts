/** A person as their identity provider knows them. */
export type ProvidedIdentity = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
}

type Unavailable = { readonly kind: 'unavailable'; readonly reason: string }

export type Identification =
  | { readonly kind: 'identified'; readonly identity: ProvidedIdentity }
  /** The code was used, has expired, or belongs to somebody else: signing in again may help. */
  | { readonly kind: 'code refused'; readonly reason: string }
  /** The token is not valid: its signature, issuer, audience, nonce or time is wrong. */
  | { readonly kind: 'untrue'; readonly reason: string }
  | Unavailable

/** Where people prove who they are. Nonce and PKCE verifier are derived from the state, so no other secret is stored. */
export type IdentityProvider = {
  readonly issuer: string
  /** Its name for people. */
  readonly name: string
  /** The address at which a person's browser starts. */
  addressFor(state: string): Promise<{ readonly kind: 'address'; readonly url: string } | Unavailable>
  /** Whether an answer with this issuer, or without one, can come from the provider. */
  isAnswerFrom(issuer: string | null): Promise<boolean | Unavailable>
  identify(answer: { readonly state: string; readonly code: string }): Promise<Identification>
}
