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
  /** Spent, expired, or given to somebody else: another sign-in may do better. */
  | { readonly kind: 'code refused'; readonly reason: string }
  /** The provider's word does not hold: its signature, issuer, audience, nonce or time is not what it has to be. */
  | { readonly kind: 'untrue'; readonly reason: string }
  | Unavailable

/** Where people prove who they are. Everything that an answer has to match follows from its state. */
export type IdentityProvider = {
  readonly issuer: string
  /** What people call it. */
  readonly name: string
  /** Where a person's browser begins. */
  addressFor(state: string): Promise<{ readonly kind: 'address'; readonly url: string } | Unavailable>
  /** Whether an answer that names this issuer, or none, can be the provider's. */
  isAnswerFrom(issuer: string | null): Promise<boolean | Unavailable>
  identify(answer: { readonly state: string; readonly code: string }): Promise<Identification>
}
