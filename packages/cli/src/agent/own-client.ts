import { createGuildhall, type Guildhall } from '@guildhall/sdk'
import { PlainError } from '../plain-error.ts'

const KEY = /^(0x)?[0-9a-fA-F]{64}$/

/** A client for the agent whose key is in the environment: on the command line others of this machine could read it. */
export function ownClient(baseUrl: string): Guildhall {
  const text = process.env.GUILDHALL_AGENT_KEY ?? ''
  if (!KEY.test(text))
    throw new PlainError(
      'GUILDHALL_AGENT_KEY is missing or no key: the agent’s Ed25519 secret key, 64 hexadecimal digits.',
    )
  return createGuildhall({ baseUrl, key: Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex')) })
}
