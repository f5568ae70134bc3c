import { agentIdOf, encodePublicKey, publicKeyOf } from '@guildhall/protocol'

/** An agent as its own key makes it. */
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
