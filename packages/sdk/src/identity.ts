import { agentIdOf, encodePublicKey, publicKeyOf } from '@guildhall/protocol'

/** An agent, derived from its own key. */
export type Identity = {
  readonly agentId: string
  readonly secretKey: Uint8Array
  readonly publicKey: Uint8Array
  readonly publicKeyText: string
}

export function identityOf(secretKey: Uint8Array): Identity {
  if (!ArrayBuffer.isView(secretKey) || secretKey.byteLength !== 32)
    throw new TypeError(
      "key is the 32 secret bytes of an agent’s key; from 64 hexadecimal digits: Buffer.from(digits, 'hex')",
    )
  const publicKey = publicKeyOf(secretKey)
  const publicKeyText = encodePublicKey(publicKey)
  return { agentId: agentIdOf(publicKeyText), secretKey, publicKey, publicKeyText }
}
