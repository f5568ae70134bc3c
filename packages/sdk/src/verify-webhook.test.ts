import { webhookSecretText, webhookSignature } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { verifyWebhook } from './verify-webhook.ts'

const NOW = Date.UTC(2030, 0, 1)
const key = new Uint8Array(32).fill(5)
const secret = webhookSecretText(key)
const body = '{"id":"evt_1","type":"task.claimed"}'

function call({ at = NOW, by = [key] }: { at?: number; by?: readonly Uint8Array[] } = {}) {
  const content = { id: 'evt_1', timestamp: Math.floor(at / 1000), body }
  return {
    'Webhook-Id': content.id,
    'webhook-timestamp': String(content.timestamp),
    'webhook-signature': webhookSignature(by, content),
    'x-service-event-cursor': '17',
  }
}

test('a call that was signed with the secret just now holds and gives its event and cursor', () => {
  const verdict = { holds: true, event: JSON.parse(body), cursor: '17' }
  expect(verifyWebhook({ secret, headers: call(), body, now: NOW })).toEqual(verdict)
  expect(verifyWebhook({ secret, headers: new Headers(call()), body, now: NOW })).toEqual(verdict)
})

test('while a secret is changed either signature counts', () => {
  const headers = call({ by: [new Uint8Array(32).fill(6), key] })
  expect(verifyWebhook({ secret, headers, body, now: NOW }).holds).toBe(true)
})

test.each([
  ['another body', { headers: call(), body: `${body} ` }, 'signature_mismatch'],
  ['another secret', { headers: call({ by: [new Uint8Array(32)] }), body }, 'signature_mismatch'],
  ['no signature', { headers: { ...call(), 'webhook-signature': undefined }, body }, 'headers_missing'],
  ['a timestamp that is no number', { headers: { ...call(), 'webhook-timestamp': '1e9' }, body }, 'headers_missing'],
  [
    'a signature of another kind',
    { headers: { ...call(), 'webhook-signature': 'v1a,AAAA' }, body },
    'signature_mismatch',
  ],
  ['a call of long ago', { headers: call({ at: NOW - 301_000 }), body }, 'timestamp_out_of_range'],
  ['a call from the future', { headers: call({ at: NOW + 301_000 }), body }, 'timestamp_out_of_range'],
] as const)('%s does not hold', (_, sent, problem) => {
  expect(verifyWebhook({ secret, now: NOW, ...sent })).toEqual({ holds: false, problem })
})

test('a malformed secret is reported as such', () => {
  expect(verifyWebhook({ secret: 'swordfish', headers: call(), body, now: NOW })).toEqual({
    holds: false,
    problem: 'secret_malformed',
  })
})
