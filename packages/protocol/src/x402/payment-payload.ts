import type { Hex } from '../hex.ts'
import { limits } from '../limits.ts'
import { type Fields, isFields } from './fields.ts'
import { readHeaderJson } from './header-json.ts'
import { NETWORK_ID } from './networks.ts'
import type { TransferAuthorization } from './transfer-authorization.ts'

const MOST_SIGNATURE_BYTES = limits.walletProof.signatureBytes.max

/** An x402 v2 payment by EIP-3009, with addresses, nonce and signature in lower case. */
export type PaymentPayload = {
  /** What the payer claims to have agreed to; judgePayment compares it with the offer. */
  readonly accepted: Fields
  readonly authorization: TransferAuthorization
  readonly signature: Hex
  readonly extensions: Fields
}

export type ParsedPayment = { readonly payload: PaymentPayload } | { readonly problem: string }

/** Reads a PAYMENT-SIGNATURE header (specification 5.3). `problem` says in words why it is not a payment. */
export function parsePaymentHeader(header: string): ParsedPayment {
  const text = header.trim()
  if (text.length > limits.paymentHeader.bytes) return problem(`it is longer than ${limits.paymentHeader.bytes} bytes`)
  const json = readHeaderJson(text)
  return 'problem' in json ? json : readPayment(json.value)
}

/** The token that the payer names, whether it was offered or not; null when it names none. */
export function acceptedToken({ accepted }: PaymentPayload): { readonly network: string; readonly asset: Hex } | null {
  const { network } = accepted
  const asset = readHex(accepted.asset, 20)
  return typeof network === 'string' && NETWORK_ID.test(network) && asset !== null ? { network, asset } : null
}

function readPayment(value: unknown): ParsedPayment {
  if (!isFields(value)) return problem('it is not an object')
  const { x402Version, accepted, payload, extensions } = value
  if (x402Version !== 2) return problem('x402Version is not the number 2')
  if (!isFields(accepted)) return problem('accepted is not an object')
  if (!isFields(payload)) return problem('payload is not an object')
  if (!isAbsent(extensions) && !isFields(extensions)) return problem('extensions is not an object')
  const signature = readSignature(payload.signature)
  if (signature === null)
    return problem(`payload.signature is not 0x and the hexadecimal digits of 1 to ${MOST_SIGNATURE_BYTES} bytes`)
  const authorization = readAuthorization(payload.authorization)
  if (typeof authorization === 'string') return problem(authorization)
  return { payload: { accepted, authorization, signature, extensions: extensions ?? {} } }
}

function readSignature(value: unknown): Hex | null {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})+$/.test(value)) return null
  return value.length / 2 - 1 <= MOST_SIGNATURE_BYTES ? (value.toLowerCase() as Hex) : null
}

function readAuthorization(value: unknown): TransferAuthorization | string {
  if (!isFields(value)) return 'payload.authorization is not an object; only EIP-3009 transfers are taken'
  const from = readHex(value.from, 20)
  const to = readHex(value.to, 20)
  const nonce = readHex(value.nonce, 32)
  const amount = readUint256(value.value)
  const validAfter = readUint256(value.validAfter)
  const validBefore = readUint256(value.validBefore)
  const wrong = (name: string, form: string) => `payload.authorization.${name} is not ${form}`
  if (from === null) return wrong('from', 'an address')
  if (to === null) return wrong('to', 'an address')
  if (nonce === null) return wrong('nonce', '0x and 64 hexadecimal digits')
  if (amount === null || amount === 0n) return wrong('value', 'a positive whole number written as a decimal string')
  if (validAfter === null) return wrong('validAfter', 'a whole number written as a decimal string')
  if (validBefore === null) return wrong('validBefore', 'a whole number written as a decimal string')
  return { from, to, value: amount, validAfter, validBefore, nonce }
}

function readHex(value: unknown, bytes: number): Hex | null {
  const fits = typeof value === 'string' && value.length === 2 + bytes * 2 && /^0x[0-9a-fA-F]+$/.test(value)
  return fits ? (value.toLowerCase() as Hex) : null
}

function readUint256(value: unknown): bigint | null {
  if (typeof value !== 'string' || !/^(?:0|[1-9]\d{0,77})$/.test(value)) return null
  const number = BigInt(value)
  return number < 2n ** 256n ? number : null
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

const problem = (text: string): ParsedPayment => ({ problem: text })
