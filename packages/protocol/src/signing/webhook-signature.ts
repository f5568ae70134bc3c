import { equalBytes } from '@noble/curves/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { limits } from '../limits.ts'

const SECRET_PREFIX = 'whsec_'
const SIGNATURE_PREFIX = 'v1,'

/** The signed parts of a webhook call, by the Standard Webhooks rules. */
export type WebhookContent = {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  /** The raw body. */
  readonly body: string
}

export const webhookSecretText = (secret: Uint8Array): string => SECRET_PREFIX + base64.encode(secret)

export function parseWebhookSecret(text: string): Uint8Array | null {
  if (!text.startsWith(SECRET_PREFIX) || text === SECRET_PREFIX) return null
  try {
    return base64.decode(text.slice(SECRET_PREFIX.length))
  } catch {
    return null
  }
}

/** The value of `webhook-signature`: one signature per currently valid secret. */
export const webhookSignature = (secrets: readonly Uint8Array[], content: WebhookContent): string =>
  secrets.map((secret) => SIGNATURE_PREFIX + base64.encode(macOf(secret, content))).join(' ')

export type WebhookProblem = 'secret_malformed' | 'headers_missing' | 'timestamp_out_of_range' | 'signature_mismatch'

export type SignedWebhook = {
  readonly secret: string
  readonly headers: {
    readonly 'webhook-id': string | null
    readonly 'webhook-timestamp': string | null
    readonly 'webhook-signature': string | null
  }
  readonly body: string
  readonly nowMs: number
}

/** The problem of a webhook call, or null when it is signed with the secret and recent. */
export function webhookProblem({ secret, headers, body, nowMs }: SignedWebhook): WebhookProblem | null {
  const key = parseWebhookSecret(secret)
  if (key === null) return 'secret_malformed'
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers
  if (!id || signatures === null || time === null || !/^\d{1,12}$/.test(time)) return 'headers_missing'
  const timestamp = Number(time)
  if (Math.abs(nowMs / 1000 - timestamp) > limits.webhook.toleranceSeconds) return 'timestamp_out_of_range'
  const expected = macOf(key, { id, timestamp, body })
  return signatures.split(' ').some((signature) => isSignature(signature, expected)) ? null : 'signature_mismatch'
}

const macOf = (secret: Uint8Array, { id, timestamp, body }: WebhookContent): Uint8Array =>
  hmac(sha256, secret, utf8ToBytes(`${id}.${timestamp}.${body}`))

function isSignature(text: string, expected: Uint8Array): boolean {
  if (!text.startsWith(SIGNATURE_PREFIX)) return false
  try {
    return equalBytes(base64.decode(text.slice(SIGNATURE_PREFIX.length)), expected)
  } catch {
    return false
  }
}
