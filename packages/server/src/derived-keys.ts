import { createHash } from 'node:crypto'

/** Further secrets follow from the registry's key, so that there is only one to keep. */
export const derivedKey = (purpose: string, registryKey: Uint8Array): Uint8Array =>
  createHash('sha256').update(purpose).update(registryKey).digest()

export const houseKey = (registryKey: Uint8Array): Uint8Array => derivedKey('guildhall house agent', registryKey)
