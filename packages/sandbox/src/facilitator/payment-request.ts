import { PaymentPayloadV2Schema, PaymentRequirementsV2Schema } from '@x402/core/schemas'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { isAddress, isHex } from 'viem'

/** The body of a verify or settle call. */
export type PaymentRequest = { readonly payload: PaymentPayload; readonly requirements: PaymentRequirements }

/** Reads a call's body; null unless it is an x402 v2 payment by EIP-3009, since the official package fails on others. */
export function readPaymentRequest(text: string): PaymentRequest | null {
  const body = parseJson(text)
  if (!isRecord(body)) return null
  const payload = PaymentPayloadV2Schema.safeParse(body.paymentPayload)
  const requirements = PaymentRequirementsV2Schema.safeParse(body.paymentRequirements)
  if (!payload.success || !requirements.success) return null
  if (!isTransferAuthorization(payload.data.payload) || !isPayable(requirements.data)) return null
  return { payload: payload.data as PaymentPayload, requirements: requirements.data as PaymentRequirements }
}

function isTransferAuthorization(payload: Record<string, unknown>): boolean {
  const { signature, authorization } = payload
  if (!isHex(signature) || !isRecord(authorization)) return false
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return (
    [from, to].every((address) => typeof address === 'string' && isAddress(address)) &&
    [value, validAfter, validBefore].every(isUint256) &&
    isHex(nonce) &&
    nonce.length === 66
  )
}

function isPayable(requirements: { asset: string; payTo: string; amount: string }): boolean {
  return isAddress(requirements.asset) && isAddress(requirements.payTo) && isUint256(requirements.amount)
}

function isUint256(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,78}$/.test(value) && BigInt(value) < 2n ** 256n
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
