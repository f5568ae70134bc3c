import { createHmac, hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { limits, type ParsedPayment, parsePaymentHeader, paymentIdentifierOf } from '@guildhall/protocol'
import type { KnownPayment } from '../../actions/hold-key.ts'
import type { RepeatKey } from '../../domain/idempotency/held-key.ts'
import { refuseField } from '../../domain/refusal.ts'
import type { Call } from '../handler.ts'
import { answerKey } from './seal-answer.ts'

/** A request that its caller may repeat: its key, and what decrypts its answer. */
export type Repeat = {
  readonly source: 'Idempotency-Key' | 'payment identifier'
  readonly key: RepeatKey
  readonly answerKey: Uint8Array
  /**
   * The payment that identifies a caller without an account; anybody can read it on the chain. Null when the caller is
   * authenticated.
   */
  readonly payerKnownBy: KnownPayment | null
}

export type Repeated = {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: Uint8Array
  readonly headers: IncomingHttpHeaders
}

/** Reads the key of a request; null when it has none. The header takes precedence over the identifier in a payment. */
export function readRepeat(secret: Uint8Array, request: Repeated, call: Call): Repeat | null {
  const header = keyHeader(request.headers)
  const payment = call.payment === null ? null : parsePaymentHeader(call.payment)
  const identifier = header === null ? identifierIn(payment) : null
  const text = header ?? identifier
  if (text === null) return null
  const digest = (...parts: readonly string[]) => createHmac('sha256', secret).update(JSON.stringify(parts)).digest()
  const { method, path, query, body } = request
  const said = digest('request', method, path, query, hash('sha256', body))
  const scope = header === null ? ['identifier'] : ['key', method, path]
  return {
    source: header === null ? 'payment identifier' : 'Idempotency-Key',
    key: {
      id: digest(...scope, callerOf(call, payment), text),
      request: said,
      payment: call.payment === null ? null : digest('payment', ...signedIn(payment, call.payment)),
    },
    answerKey: answerKey(secret, text, said),
    payerKnownBy: call.caller === null ? authorizationIn(payment) : null,
  }
}

function keyHeader(headers: IncomingHttpHeaders): string | null {
  const text = headers['idempotency-key']
  if (text === undefined) return null
  if (typeof text === 'string' && limits.idempotencyKey.pattern.test(text)) return text
  return badKey('Idempotency-Key has 8 to 128 characters of A-Z a-z 0-9 _ - : and the full stop.')
}

function identifierIn(payment: ParsedPayment | null): string | null {
  if (payment === null || 'problem' in payment) return null
  const read = paymentIdentifierOf(payment.payload)
  return read === 'malformed'
    ? badKey('The id of a payment-identifier has 16 to 128 characters of A-Z a-z 0-9 _ -.')
    : read
}

const badKey = (message: string): never => refuseField('idempotency_key', message)

/** Each caller has its own key space. A wallet is not verified here: its payment is checked later. */
function callerOf({ caller, context }: Call, payment: ParsedPayment | null): string {
  if (caller !== null) {
    if ('agent' in caller) return caller.agent.id
    return 'owner' in caller ? caller.owner.id : `poster of ${caller.task.id}`
  }
  return payment !== null && 'payload' in payment ? payment.payload.authorization.from : context.ip
}

/** Everything the payer signed, and the signature: knowing of a payment is not enough to repeat its request. */
function signedIn(payment: ParsedPayment | null, header: string): readonly string[] {
  if (payment === null || 'problem' in payment) return [header]
  const { accepted, authorization, signature } = payment.payload
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return [accepted.network, from, to, value, validAfter, validBefore, nonce, signature].map((part) =>
    String(part).toLowerCase(),
  )
}

/** The network is compared as in `signedIn`, so that no other spelling of it is counted apart. */
function authorizationIn(payment: ParsedPayment | null): KnownPayment | null {
  if (payment === null || 'problem' in payment) return null
  const { accepted, authorization } = payment.payload
  return { network: String(accepted.network).toLowerCase(), from: authorization.from, nonce: authorization.nonce }
}
