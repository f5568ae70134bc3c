import { parsePublicKey } from '@guildhall/protocol'
import { refuseField } from '../../domain/refusal.ts'

/** The bytes of a key under which an agent may register; any other is refused. */
export function usableKey(publicKey: string): Uint8Array {
  const message = 'An Ed25519 public key is needed: 32 bytes in base58, on the curve and not of small order.'
  return parsePublicKey(publicKey) ?? refuseField('public_key', message)
}
