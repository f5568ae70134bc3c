import { createHash } from 'node:crypto'

/** Other secrets are derived from the registry's key, so that an operator has only one to keep. */
export const derivedKey = (purpose: string, registryKey: Uint8Array): Uint8Array =>
  createHash('sha256').update(purpose).update(registryKey).digest()

export const houseKey = (registryKey: Uint8Array): Uint8Array => derivedKey('guildhall house agent', registryKey)
