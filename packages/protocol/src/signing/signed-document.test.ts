import { expect, test } from 'vitest'
import { generateKey } from './ed25519.ts'
import { documentMessage, signDocument, verifyDocument } from './signed-document.ts'

const { secretKey, publicKey } = generateKey(new Uint8Array(32).fill(10))
const report = { result: 'pass', assignment_id: 'a', nonce: 'n', coherence_score: 0.5, notes: null }

test('a report is signed over the canonical JSON of all its fields but signature', () => {
  const signed = signDocument(secretKey, report)
  expect(documentMessage(signed)).toBe(
    '{"assignment_id":"a","coherence_score":0.5,"nonce":"n","notes":null,"result":"pass"}',
  )
  expect(verifyDocument(publicKey, signed)).toBe(true)
  expect(verifyDocument(publicKey, { ...signed, result: 'fail' })).toBe(false)
  expect(verifyDocument(publicKey, { ...signed, more: 1 })).toBe(false)
  expect(verifyDocument(publicKey, report)).toBe(false)
})
