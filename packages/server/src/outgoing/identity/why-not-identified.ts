import { ClientError, ResponseBodyError } from 'openid-client'
import type { Identification } from '../../ports/identity-provider.ts'

/** The provider answered, but its answer is not valid. */
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

/** What a failed exchange means; an unknown error counts as no answer. */
export function whyNotIdentified(error: unknown): Failure {
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    return { kind: 'code refused', reason: error.error }
  if (error instanceof ResponseBodyError)
    return { kind: 'unavailable', reason: `The provider answered ${error.status} ${error.error}.` }
  if (error instanceof ClientError && UNTRUE.has(error.code ?? '')) return { kind: 'untrue', reason: reasonOf(error) }
  return { kind: 'unavailable', reason: reasonOf(error) }
}

/** The library puts the failed check into `cause`. */
export function reasonOf(error: unknown): string {
  const { message = String(error), cause } = error instanceof Error ? error : {}
  return cause instanceof Error && cause.message !== message ? `${message}: ${cause.message}` : message
}
