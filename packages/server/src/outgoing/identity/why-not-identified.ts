import { ClientError, ResponseBodyError } from 'openid-client'
import type { Identification } from '../../ports/identity-provider.ts'

/** The provider spoke, and what it said does not hold. */
const UNTRUE: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_PARSE_ERROR',
  'OAUTH_UNSUPPORTED_OPERATION',
])

type Failure = Exclude<Identification, { readonly kind: 'identified' }>

/** What a failed exchange means. Whatever is not known to be an answer counts as none. */
export function whyNotIdentified(error: unknown): Failure {
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    return { kind: 'code refused', reason: error.error }
  if (error instanceof ResponseBodyError)
    return { kind: 'unavailable', reason: `The provider answered ${error.status} ${error.error}.` }
  if (error instanceof ClientError && UNTRUE.has(error.code ?? '')) return { kind: 'untrue', reason: reasonOf(error) }
  return { kind: 'unavailable', reason: reasonOf(error) }
}

/** The library names the failed check in the cause. */
export function reasonOf(error: unknown): string {
  const { message = String(error), cause } = error instanceof Error ? error : {}
  return cause instanceof Error && cause.message !== message ? `${message}: ${cause.message}` : message
}
