import { limits } from '../limits.ts'
import type { PaymentRequirements } from '../schemas/payment.ts'
import { type Fields, isFields } from './fields.ts'
import type { PaymentPayload } from './payment-payload.ts'

export type PaymentFault = {
  readonly reason:
    | 'requirements_mismatch'
    | 'recipient_mismatch'
    | 'amount_mismatch'
    | 'not_yet_valid'
    | 'valid_before_out_of_range'
  readonly expected: string
  readonly got: string
}

type Case = { readonly payment: PaymentPayload; readonly requirements: PaymentRequirements; readonly now: number }

const SHOWN_CHARACTERS = 100

/**
 * What is wrong with a payment for these requirements, as far as it can be checked offline; null when nothing is. `now` is in
 * milliseconds.
 */
export function judgePayment(shown: Case): PaymentFault | null {
  return wrongTerms(shown) ?? wrongRecipient(shown) ?? wrongAmount(shown) ?? wrongTime(shown)
}

function wrongTerms({ payment: { accepted }, requirements }: Case): PaymentFault | null {
  const { asset, extra } = requirements
  return (
    difference('', requirements, accepted, ['payTo', 'amount', 'asset', 'extra']) ??
    (sameAddress(asset, accepted.asset) ? null : mismatch('asset', asset, accepted.asset)) ??
    difference('extra.', extra, isFields(accepted.extra) ? accepted.extra : {})
  )
}

function wrongRecipient({ payment, requirements: { payTo } }: Case): PaymentFault | null {
  const wrong = [payment.authorization.to, payment.accepted.payTo].filter((address) => !sameAddress(payTo, address))
  return wrong.length === 0 ? null : { reason: 'recipient_mismatch', expected: payTo, got: show(wrong[0]) }
}

function wrongAmount({ payment, requirements: { amount } }: Case): PaymentFault | null {
  const wrong = [String(payment.authorization.value), payment.accepted.amount].filter((value) => value !== amount)
  return wrong.length === 0 ? null : { reason: 'amount_mismatch', expected: amount, got: show(wrong[0]) }
}

function wrongTime({ payment: { authorization }, now }: Case): PaymentFault | null {
  const second = BigInt(Math.floor(now / 1000))
  const { validAfter, validBefore } = authorization
  if (validAfter >= second) {
    return { reason: 'not_yet_valid', expected: `validAfter before ${second}`, got: show(String(validAfter)) }
  }
  const earliest = second + BigInt(limits.payment.minRemainingSeconds)
  const latest = second + BigInt(limits.payment.maxAheadSeconds)
  if (validBefore >= earliest && validBefore <= latest) return null
  const expected = `validBefore from ${earliest} to ${latest}`
  return { reason: 'valid_before_out_of_range', expected, got: show(String(validBefore)) }
}

/** The first field in which the payer accepted something other than was offered, or that was not offered. */
function difference(prefix: string, offered: Fields, accepted: Fields, except: readonly string[] = []) {
  const names = new Set([...Object.keys(offered), ...Object.keys(accepted)])
  for (const name of except) names.delete(name)
  for (const name of names) {
    const expected = Object.hasOwn(offered, name) ? offered[name] : null
    const got = (Object.hasOwn(accepted, name) ? accepted[name] : null) ?? null
    if (got !== expected) return mismatch(prefix + name, expected, got)
  }
  return null
}

const sameAddress = (offered: string, got: unknown): boolean =>
  typeof got === 'string' && got.toLowerCase() === offered.toLowerCase()

const mismatch = (name: string, expected: unknown, got: unknown): PaymentFault => ({
  reason: 'requirements_mismatch',
  expected: `${show(name)}: ${show(expected)}`,
  got: `${show(name)}: ${show(got)}`,
})

/** An untrusted value made safe to repeat: printable ASCII, shortened. */
function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.slice(0, SHOWN_CHARACTERS).replace(/[^\x20-\x7e]/g, '?')
}
