import { createGuildhall, type Guildhall } from '@guildhall/sdk'
import { DEFAULT_URL } from './default-url.ts'
import { PlainError } from './plain-error.ts'

/** A client of the service at this address; the key has been checked before. */
export function clientAt(url: string, key?: Uint8Array): Guildhall {
  try {
    return createGuildhall({ baseUrl: url, key })
  } catch (cause) {
    throw new PlainError(`${url} is not the address of a service, such as ${DEFAULT_URL}.`, { cause })
  }
}
