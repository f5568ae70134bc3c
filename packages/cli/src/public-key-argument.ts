import { parsePublicKey } from '@guildhall/protocol'
import { InvalidArgumentError } from 'commander'

/** A key that is mistyped is told as such: it says nothing about the ledger. */
export function publicKeyArgument(text: string): string {
  if (parsePublicKey(text) === null) throw new InvalidArgumentError('It is no Ed25519 public key in base58.')
  return text
}
