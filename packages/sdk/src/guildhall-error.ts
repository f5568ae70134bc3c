import type { ErrorCode, ErrorFields } from '@guildhall/protocol'
import type { LocalErrorCode, LocalErrorFields } from './local-errors.ts'

export type GuildhallErrorCode = ErrorCode | LocalErrorCode

export type FieldsOf<C extends GuildhallErrorCode> = C extends ErrorCode
  ? ErrorFields<C>
  : C extends LocalErrorCode
    ? LocalErrorFields[C]
    : never

export type GuildhallErrorParts<C extends GuildhallErrorCode> = {
  readonly code: C
  readonly message: string
  readonly fields: FieldsOf<C>
  /** The HTTP status, or 0 when there was no answer. */
  readonly status?: number
  readonly requestId?: string | null
  readonly retryable?: boolean
  readonly retryAfterSeconds?: number | null
  readonly cause?: unknown
}

/** Every failure of a call. `code` says which one; `isGuildhallError` narrows `fields` by it. */
export class GuildhallError<C extends GuildhallErrorCode = GuildhallErrorCode> extends Error {
  override readonly name = 'GuildhallError'
  readonly code: C
  readonly status: number
  readonly requestId: string | null
  /** The same call may succeed later unchanged. */
  readonly retryable: boolean
  readonly retryAfterSeconds: number | null
  readonly fields: FieldsOf<C>

  constructor(parts: GuildhallErrorParts<C>) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause })
    this.code = parts.code
    this.status = parts.status ?? 0
    this.requestId = parts.requestId ?? null
    this.retryable = parts.retryable ?? false
    this.retryAfterSeconds = parts.retryAfterSeconds ?? null
    this.fields = parts.fields
  }
}

/** One of these codes, as a union that `error.code` narrows. */
export type GuildhallErrorOf<C extends GuildhallErrorCode = GuildhallErrorCode> = { [K in C]: GuildhallError<K> }[C]

/** Whether a call failed, and if codes are given, with one of them. */
export function isGuildhallError<C extends GuildhallErrorCode = GuildhallErrorCode>(
  error: unknown,
  ...codes: readonly C[]
): error is GuildhallErrorOf<C> {
  return error instanceof GuildhallError && (codes.length === 0 || codes.some((code) => code === error.code))
}
