import { checkpointMessage } from '../../src/ledger/checkpoint.ts'
import { registry, stranger } from './keys.ts'
import { smallLedger } from './small-ledger.ts'

export function checkpointVectors() {
  const { checkpoints } = smallLedger()
  const [first, second] = checkpoints
  if (first === undefined || second === undefined) throw new Error('the small ledger has two checkpoints')
  const bent = {
    'another sequence': { sequence: 3 },
    'another entry': { entry_hash: second.entry_hash },
    'another size': { tree_size: 3 },
    'another root': { root_hash: second.root_hash },
    'another time': { issued_at: second.issued_at },
    'the signature of another checkpoint': { signature: second.signature },
    'a signature without padding': { signature: first.signature.replace(/=+$/, '') },
  }
  const public_key = registry.publicKeyText
  return {
    about: 'Checkpoints signed by the registry: base64 Ed25519 over `message`, the canonical JSON of the other fields.',
    cases: [
      ...checkpoints.map((checkpoint) => {
        const message = checkpointMessage(checkpoint)
        return { name: `at ${checkpoint.sequence}`, public_key, checkpoint, message, valid: true }
      }),
      ...Object.entries(bent).map(([name, change]) => ({
        name,
        public_key,
        checkpoint: { ...first, ...change },
        valid: false,
      })),
      { name: 'another key', public_key: stranger.publicKeyText, checkpoint: first, valid: false },
    ],
  }
}
