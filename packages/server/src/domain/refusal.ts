import { type ErrorCode, type ErrorFields, errors } from '@guildhall/protocol'

/** The caller's mistake or bad luck: answered with its code, never logged as ours. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly fields: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, fields: Readonly<Record<string, unknown>>, message: string) {
    // No stack trace: nobody sees it, and capturing it costs more than most refusals.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.code = code
    this.fields = fields
  }
}

type Wording<C extends ErrorCode> =
  Record<string, never> extends ErrorFields<C>
    ? [fields?: ErrorFields<C>, message?: string]
    : [fields: ErrorFields<C>, message?: string]

export const refusal = <C extends ErrorCode>(code: C, ...[fields, message]: Wording<C>): Refusal =>
  new Refusal(code, { ...fields }, message ?? errors[code].message)

export function refuse<C extends ErrorCode>(code: C, ...wording: Wording<C>): never {
  throw refusal(code, ...wording)
}

/** One field of the request is wrong; people read the message, programs read `issues`. */
export const refuseField = (path: string, message: string): never =>
  refuse('bad_request', { issues: [{ path, message }] }, message)
