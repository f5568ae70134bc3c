import { agentNameVectors } from './agent-names.ts'
import { agentSignatureVectors } from './agent-signatures.ts'
import { canonicalJsonVectors } from './canonical-json.ts'
import { chainVectors } from './chain.ts'
import { checkpointVectors } from './checkpoints.ts'
import { entryDocumentVectors } from './entry-documents.ts'
import { entryHashVectors } from './entry-hashes.ts'
import { merkleVectors } from './merkle.ts'
import { proofOfWorkVectors } from './proof-of-work.ts'
import { publicKeyVectors } from './public-keys.ts'
import { receiptVectors } from './receipts.ts'
import { signedDocumentVectors } from './signed-documents.ts'
import { walletMessageVectors } from './wallet-messages.ts'

/** The text of every file in vectors/, by its name; the same on every run. */
export function vectorFiles(): Readonly<Record<string, string>> {
  return {
    'agent-names.json': print(agentNameVectors()),
    'agent-signatures.json': print(agentSignatureVectors()),
    'canonical-json.json': print(canonicalJsonVectors()),
    'chain.json': print(chainVectors()),
    'checkpoints.json': print(checkpointVectors()),
    'entry-documents.json': print(entryDocumentVectors()),
    'entry-hashes.json': print(entryHashVectors()),
    'merkle.json': print(merkleVectors()),
    'proof-of-work.json': print(proofOfWorkVectors()),
    'public-keys.json': print(publicKeyVectors()),
    'receipts.json': print(receiptVectors()),
    'signed-documents.json': print(signedDocumentVectors()),
    'wallet-messages.json': print(walletMessageVectors()),
  }
}

/** ASCII only, so that what is invisible or reads from right to left can be seen. */
function print(vectors: unknown): string {
  const text = JSON.stringify(vectors, null, 2)
  return `${text.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
