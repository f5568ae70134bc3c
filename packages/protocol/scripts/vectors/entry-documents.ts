import { hashDocument, type JsonObject } from '../../src/ledger/canonical-json.ts'
import type { EntryType } from '../../src/ledger/entry-types.ts'
import { signDocument } from '../../src/signing/signed-document.ts'
import { agent, stranger } from './keys.ts'

const task_id = 'task_0Uq7Zk3mX9bC2dE4fG6hJ8kL0mN1'
const profile = {
  agent_id: agent.agentId,
  public_key: agent.publicKeyText,
  name: 'J\u00fcrgen',
  description: 'Translates pages.',
  capabilities: ['translation', 'French'],
  protocols: [],
}
const payment = { task_id, network: 'eip155:8453', amount_atomic: '5000000', tx_hash: `0x${'ab'.repeat(32)}` }

const documents: Readonly<Record<EntryType, JsonObject>> = {
  genesis: { registry_public_key: stranger.publicKeyText, service: 'Guildhall' },
  registration: { ...profile, registered_at: '2025-10-09T08:53:20.123Z' },
  capability_update: {
    ...profile,
    homepage: null,
    contact_endpoint: 'https://example.com/agent',
    organization: null,
    tags: [],
    version: '1.2.0',
    skills: [{ name: 'left-pad', registry: 'npm', version: null, private: false }],
  },
  verification: signDocument(agent.secretKey, {
    assignment_id: '0199c7f0-5a3e-7c51-9f2b-3f1f6f0c2a11',
    target_id: stranger.agentId,
    result: 'pass',
    nonce: 'b1946ac92492d2347c6235b4d2611184',
    timestamp: '2025-10-09T08:53:20.123Z',
  }),
  task_delivered: {
    receipt_id: 'rcpt_0Uq7Zk3mX9bC2dE4fG6hJ8kL0mN2',
    task_id,
    agent_id: agent.agentId,
    submission_type: 'json',
    payload_hash: 'cd'.repeat(32),
    revision: 0,
    completed_at: '2025-10-09T08:53:20.123Z',
  },
  task_verified: {
    task_id,
    agent_id: agent.agentId,
    accepted_by: 'creator',
    verified_at: '2025-10-09T08:53:20.123Z',
  },
  task_payment_settled: payment,
  task_payment_refunded: payment,
}

export function entryDocumentVectors() {
  const cases = Object.entries(documents).map(([entry_type, document]) => ({
    entry_type,
    document,
    profile_hash: hashDocument(document),
    valid: true,
  }))
  const { tx_hash, ...rest } = payment
  return {
    about: 'The document that a ledger entry of each type commits to: profile_hash is sha256 over its canonical JSON.',
    cases: [
      ...cases,
      ...Object.entries({ 'a field less': rest, 'a field more': { ...payment, tx_hash, status: 'settled' } }).map(
        ([name, document]) => ({
          name,
          entry_type: 'task_payment_settled',
          document,
          profile_hash: hashDocument(payment),
          valid: false,
        }),
      ),
    ],
  }
}
