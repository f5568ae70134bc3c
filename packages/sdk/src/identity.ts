import { agentIdOf, encodePublicKey, publicKeyOf } from '@guildhall/protocol'

/** An agent, derived from its own key. */
export type Identity = {
  readonly agentId: string
  readonly secretKey: Uint8Array
  readonly publicKey: Uint8Array
  readonly publicKeyText: string
}

export function identityOf(secretKey: Uint8Array): Identity {
  const publicKey = publicKeyOf(secretKey)
  const publicKeyText = encodePublicKey(publicKey)
  return { agentId: agentIdOf(publicKeyText), secretKey, publicKey, publicKeyText }
}
