import { documentMessage, signDocument } from '../../src/signing/signed-document.ts'
import { agent, stranger } from './keys.ts'

export function signedDocumentVectors() {
  const report = {
    assignment_id: '0199c7f0-5a3e-7c51-9f2b-3f1f6f0c2a11',
    target_id: stranger.agentId,
    result: 'pass',
    nonce: 'b1946ac92492d2347c6235b4d2611184',
    timestamp: 1_760_000_000,
    coherence_score: 0.875,
    notes: 'Answered at once \u2013 politely.',
    structured_report: { capabilities_confirmed: ['b', 'a'], safety_issues: [], tool_honesty: null },
  }
  const document = signDocument(agent.secretKey, report)
  const public_key = agent.publicKeyText
  const bent = {
    'another result': { result: 'fail' },
    'one field more': { response_time_ms: 5 },
    'a list in another order': {
      structured_report: { ...report.structured_report, capabilities_confirmed: ['a', 'b'] },
    },
    'no signature': { signature: '' },
  }
  return {
    about:
      'Peer verification reports: `signature` is base64 Ed25519 over `message`, the canonical JSON of all other fields.',
    cases: [
      { name: 'a report', public_key, document, message: documentMessage(document), valid: true },
      ...Object.entries(bent).map(([name, change]) => ({
        name,
        public_key,
        document: { ...document, ...change },
        valid: false,
      })),
      { name: 'another key', public_key: stranger.publicKeyText, document, valid: false },
    ],
  }
}
