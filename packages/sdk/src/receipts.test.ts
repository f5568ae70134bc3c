import { agentMessage, entryHash, hashBody, payloadHash, receiptHash, signText } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { KEY } from '../tests/support/scripted-service.ts'
import { identityOf } from './identity.ts'
import { verifyReceipt } from './receipts.ts'

const { agentId, publicKey, secretKey } = identityOf(KEY)
const payload = {
  summary: 's',
  submission_content: null,
  artifact_urls: null,
  commit_hash: null,
  pr_url: null,
  salt: 'x',
}
const hashed = {
  receipt_id: 'rcpt_1',
  task_id: 'task_1',
  agent_id: agentId,
  submission_type: 'json',
  payload_hash: payloadHash(payload),
  revision: 0,
  completed_at: '2030-01-01T00:00:00.000Z',
} as const
const signed = { timestamp: 1_893_456_000, bodyHash: hashBody('{}'), nonce: 'abcdefgh' }
const fields = {
  sequence: 7,
  previous_hash: '1'.repeat(64),
  entry_type: 'task_delivered',
  agent_id: agentId,
  public_key: null,
  profile_hash: receiptHash(hashed),
  timestamp: '2030-01-01T00:00:00.000Z',
} as const
const entry = { ...fields, agent_name: 'Ada', entry_hash: entryHash(fields) }
const receipt = {
  ...hashed,
  chain_sequence: 7,
  chain_entry_hash: entry.entry_hash,
  signature: signText(secretKey, agentMessage({ method: 'POST', path: '/v1/tasks/task_1/deliver', ...signed })),
  signed_timestamp: signed.timestamp,
  signed_nonce: signed.nonce,
  body_hash: signed.bodyHash,
  agent_public_key: Buffer.from(publicKey).toString('hex'),
  payload,
}

test('a receipt holds when its agent signed the delivery and the ledger commits to it', () => {
  expect(verifyReceipt(receipt, entry)).toEqual({ holds: true, signedByAgent: true, inLedger: true })
})

test('a receipt that differs from the ledger does not hold', () => {
  expect(verifyReceipt({ ...receipt, revision: 1 }, entry)).toEqual({
    holds: false,
    signedByAgent: true,
    inLedger: false,
  })
  const other = { ...entry, profile_hash: '2'.repeat(64) }
  expect(verifyReceipt(receipt, other)).toMatchObject({ holds: false, inLedger: false })
})

test('a receipt whose request somebody else signed does not hold', () => {
  expect(verifyReceipt({ ...receipt, body_hash: hashBody('other') }, entry)).toEqual({
    holds: false,
    signedByAgent: false,
    inLedger: true,
  })
})

test.each([
  ['no receipt', null, entry],
  ['a receipt without its fields', {}, entry],
  ['a delivery without its salt', { ...receipt, payload: { ...payload, salt: null } }, entry],
  ['a delivery that has no hash', { ...receipt, payload: { ...payload, summary: '\ud800' } }, entry],
  ['no entry', receipt, null],
  ['an entry without its fields', receipt, {}],
])('%s does not hold, and is no fault of the program that asks', (_, shown, found) => {
  expect(verifyReceipt(shown as typeof receipt, found as typeof entry)).toMatchObject({ holds: false, inLedger: false })
})
