import { createHash } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { hashBody, signRequest } from '../signing/agent-signature.ts'
import { generateKey } from '../signing/ed25519.ts'
import { agentIdOf, encodePublicKey } from '../signing/public-key.ts'
import { entryHash } from './entry.ts'
import { isReceiptInEntry, payloadHash, receiptHash, type SignedReceipt, verifyReceiptSignature } from './receipt.ts'

const { secretKey, publicKey } = generateKey(new Uint8Array(32).fill(12))
const payload = {
  summary: 'Done.',
  submission_content: '{}',
  artifact_urls: null,
  commit_hash: null,
  pr_url: null,
  salt: '00ff',
}

function delivered(endpoint: string, nonce: string | null): SignedReceipt {
  const body = '{"summary":"Done."}'
  const request = { secretKey, method: 'POST', path: `/v1/tasks/task_1/${endpoint}`, body, timestamp: 1_760_000_000 }
  const { Authorization } = signRequest(nonce === null ? request : { ...request, nonce })
  return {
    receipt_id: 'rcpt_1',
    task_id: 'task_1',
    agent_id: agentIdOf(encodePublicKey(publicKey)),
    submission_type: 'json',
    payload_hash: payloadHash(payload),
    revision: 0,
    completed_at: '2026-01-01T00:00:00.000Z',
    chain_sequence: null,
    chain_entry_hash: null,
    signature: Authorization.split(':')[1] ?? '',
    signed_timestamp: 1_760_000_000,
    signed_nonce: nonce,
    body_hash: hashBody(body),
    agent_public_key: bytesToHex(publicKey),
    payload,
  }
}

describe('the hashes of a receipt', () => {
  test('payload_hash covers what was delivered and its salt, nulls kept', () => {
    const text =
      '{"artifact_urls":null,"commit_hash":null,"pr_url":null,"salt":"00ff","submission_content":"{}","summary":"Done."}'
    expect(payloadHash(payload)).toBe(createHash('sha256').update(text).digest('hex'))
    expect(payloadHash({ ...payload, salt: '00fe' })).not.toBe(payloadHash(payload))
  })

  test('the receipt hash covers the first seven fields, all public, and no other', () => {
    const receipt = delivered('deliver', null)
    const text = `{"agent_id":"${receipt.agent_id}","completed_at":"2026-01-01T00:00:00.000Z","payload_hash":"${receipt.payload_hash}","receipt_id":"rcpt_1","revision":0,"submission_type":"json","task_id":"task_1"}`
    expect(receiptHash(receipt)).toBe(createHash('sha256').update(text).digest('hex'))
    expect(receiptHash({ ...receipt, payload: null, chain_sequence: 9 } as SignedReceipt)).toBe(receiptHash(receipt))
    expect(receiptHash({ ...receipt, revision: 1 })).not.toBe(receiptHash(receipt))
  })
})

describe('the deliverer’s signature', () => {
  test.each([
    ['deliver', 'nonce-01'],
    ['deliver', null],
    ['submit', 'nonce-01'],
  ])('is checked from the receipt alone: /%s with nonce %s', (endpoint, nonce) => {
    expect(verifyReceiptSignature(delivered(endpoint, nonce))).toBe(true)
    expect(verifyReceiptSignature({ ...delivered(endpoint, nonce), payload: null })).toBe(true)
  })

  test('does not hold for another agent, request, time or task', () => {
    const receipt = delivered('deliver', 'nonce-01')
    const other = generateKey(new Uint8Array(32).fill(13)).publicKey
    const changes: Partial<SignedReceipt>[] = [
      { agent_public_key: bytesToHex(other) },
      { agent_public_key: bytesToHex(other), agent_id: agentIdOf(encodePublicKey(other)) },
      { agent_id: agentIdOf(encodePublicKey(other)) },
      { agent_public_key: 'not hex' },
      { task_id: 'task_2' },
      { signed_timestamp: 1_760_000_001 },
      { signed_nonce: null },
      { body_hash: hashBody('{}') },
      { signature: '' },
    ]
    for (const change of changes) expect(verifyReceiptSignature({ ...receipt, ...change })).toBe(false)
    expect(verifyReceiptSignature(delivered('accept', 'nonce-01'))).toBe(false)
  })
})

test('a receipt is in the ledger when its entry commits to it', () => {
  const pending = delivered('deliver', 'nonce-01')
  const fields = {
    sequence: 7,
    previous_hash: 'ab'.repeat(32),
    entry_type: 'task_delivered',
    agent_id: pending.agent_id,
    public_key: encodePublicKey(publicKey),
    profile_hash: receiptHash(pending),
    timestamp: '2026-01-01T00:00:00.000Z',
  }
  const entry = { ...fields, agent_name: 'Worker', entry_hash: entryHash(fields) }
  const receipt = { ...pending, chain_sequence: 7, chain_entry_hash: entry.entry_hash }
  expect(isReceiptInEntry(receipt, entry)).toBe(true)
  expect(isReceiptInEntry({ ...receipt, payload: null }, entry)).toBe(true)
  expect(isReceiptInEntry(pending, entry)).toBe(false)
  expect(isReceiptInEntry({ ...receipt, revision: 1 }, entry)).toBe(false)
  expect(isReceiptInEntry({ ...receipt, payload: { ...payload, summary: 'Other.' } }, entry)).toBe(false)
  expect(isReceiptInEntry(receipt, { ...entry, sequence: 8 })).toBe(false)
  expect(isReceiptInEntry(receipt, { ...entry, timestamp: '2026-01-01T00:00:00.001Z' })).toBe(false)
  expect(isReceiptInEntry(receipt, { ...entry, entry_type: 'task_verified' })).toBe(false)
})
