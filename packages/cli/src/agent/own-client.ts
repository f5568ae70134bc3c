import type { Guildhall } from '@guildhall/sdk'
import { clientAt } from '../client-at.ts'
import { PlainError } from '../plain-error.ts'

const KEY = /^(0x)?[0-9a-fA-F]{64}$/

/** A client with the agent key from the environment: other users of this machine could read it on the command line. */
export function ownClient(baseUrl: string): Guildhall {
  const text = process.env.GUILDHALL_AGENT_KEY ?? ''
  if (!KEY.test(text))
    throw new PlainError(
      'GUILDHALL_AGENT_KEY is missing or no key: the agent’s Ed25519 secret key, 64 hexadecimal digits.',
    )
  return clientAt(baseUrl, Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex')))
}
