import { payloadHash, receiptHash, type SignedReceipt } from '../../src/ledger/receipt.ts'
import { hashBody, signRequest } from '../../src/signing/agent-signature.ts'
import { agent, stranger } from './keys.ts'
import { seal } from './small-ledger.ts'

const timestamp = 1_760_000_000
const payload = {
  summary: 'Translated the page: na\u00efve, \u540d\u524d, \u{1f600}.',
  submission_content: '{"rows":[1,2.50,null]}',
  artifact_urls: ['https://example.com/a.csv', 'https://example.com/b.csv'],
  commit_hash: null,
  pr_url: null,
  salt: '6f2c1f0d9b8a47e5a1b2c3d4e5f60718',
}

export function receiptVectors() {
  const delivered = recorded(receipt('deliver', 'nonce-0001'))
  const good = [
    { name: 'a delivery with a nonce', ...delivered },
    { name: 'a delivery without a nonce', ...recorded(receipt('deliver', null)) },
    { name: 'a legacy submission', ...recorded(receipt('submit', 'nonce-0001')) },
    { name: 'a delivery that is still private', ...delivered, receipt: { ...delivered.receipt, payload: null } },
  ]
  return {
    about:
      'Delivery receipts with the ledger entry that records them. receipt_hash is sha256 over the canonical JSON of the first seven fields; the signature is the deliverer\u2019s request signature on POST /v1/tasks/{task_id}/deliver or /submit.',
    cases: [...good.map((made) => ({ ...made, valid: true })), ...bent(delivered)],
  }
}

function receipt(endpoint: string, nonce: string | null): SignedReceipt {
  const task_id = 'task_0Uq7Zk3mX9bC2dE4fG6hJ8kL0mN1'
  const body = JSON.stringify({ summary: payload.summary, submission_type: 'json' })
  const request = {
    secretKey: agent.secretKey,
    method: 'POST',
    path: `/v1/tasks/${task_id}/${endpoint}`,
    body,
    timestamp,
  }
  const { Authorization } = signRequest(nonce === null ? request : { ...request, nonce })
  return {
    receipt_id: 'rcpt_0Uq7Zk3mX9bC2dE4fG6hJ8kL0mN2',
    task_id,
    agent_id: agent.agentId,
    submission_type: 'json',
    payload_hash: payloadHash(payload),
    revision: 0,
    completed_at: '2025-10-09T08:53:20.123Z',
    chain_sequence: null,
    chain_entry_hash: null,
    signature: Authorization.slice(Authorization.indexOf(':') + 1),
    signed_timestamp: timestamp,
    signed_nonce: nonce,
    body_hash: hashBody(body),
    agent_public_key: agent.publicKeyHex,
    payload,
  }
}

function recorded(pending: SignedReceipt) {
  const receipt_hash = receiptHash(pending)
  const fields = {
    sequence: 42,
    previous_hash: 'ab'.repeat(32),
    entry_type: 'task_delivered',
    agent_id: pending.agent_id,
    public_key: agent.publicKeyText,
    profile_hash: receipt_hash,
    timestamp: '2025-10-09T08:53:20.200Z',
  }
  const entry = seal(fields, 'J\u00fcrgen')
  return { receipt: { ...pending, chain_sequence: 42, chain_entry_hash: entry.entry_hash }, receipt_hash, entry }
}

function bent({ receipt: good, entry }: ReturnType<typeof recorded>) {
  const changes: Readonly<Record<string, Partial<SignedReceipt>>> = {
    'another task': { task_id: 'task_0Uq7Zk3mX9bC2dE4fG6hJ8kL0mN9' },
    'another revision': { revision: 1 },
    'another time': { completed_at: '2025-10-09T08:53:20.124Z' },
    'another payload': { payload: { ...payload, summary: 'Something else.' } },
    'another salt': { payload: { ...payload, salt: '00' } },
    'another agent': { agent_id: stranger.agentId, agent_public_key: stranger.publicKeyHex },
    'a key that is not the agent\u2019s': { agent_public_key: stranger.publicKeyHex },
    'another signed time': { signed_timestamp: timestamp + 1 },
    'the nonce left out': { signed_nonce: null },
    'another body': { body_hash: hashBody('{}') },
    'another place in the ledger': { chain_sequence: 43 },
    'another entry hash': { chain_entry_hash: 'ab'.repeat(32) },
  }
  return Object.entries(changes).map(([name, change]) => ({
    name,
    receipt: { ...good, ...change },
    entry,
    valid: false,
  }))
}
