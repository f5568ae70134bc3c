import { signText, verifyText } from '../signing/signature-text.ts'
import { documentMessage } from '../signing/signed-document.ts'
import { isCanonical } from './canonical-json.ts'

/** The registry attests the second entry, and then at least every thousandth. */
export const FIRST_CHECKPOINT = 2
export const CHECKPOINT_EVERY = 1_000

/** What the registry attests of the ledger at one sequence; its public key is in the genesis entry. */
export type CheckpointFields = {
  readonly sequence: number
  readonly entry_hash: string
  readonly tree_size: number
  readonly root_hash: string
  readonly issued_at: string
}

export type SignedCheckpoint = CheckpointFields & { readonly signature: string }

/** The signed text of a checkpoint: the canonical JSON of its other fields. */
export function checkpointMessage(checkpoint: CheckpointFields): string {
  const { sequence, entry_hash, tree_size, root_hash, issued_at } = checkpoint
  return documentMessage({ sequence, entry_hash, tree_size, root_hash, issued_at })
}

export function signCheckpoint(secretKey: Uint8Array, fields: CheckpointFields): SignedCheckpoint {
  return { ...fields, signature: signText(secretKey, checkpointMessage(fields)) }
}

export function verifyCheckpoint(publicKey: Uint8Array, checkpoint: SignedCheckpoint): boolean {
  return isCanonical(checkpoint) && verifyText(publicKey, checkpointMessage(checkpoint), checkpoint.signature)
}
