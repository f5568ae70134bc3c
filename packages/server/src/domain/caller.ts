import type { Agent } from './agent/agent.ts'
import type { HeldKey } from './idempotency/held-key.ts'

/** The parts of a signed request that are kept: burnt against replay, or stored with a receipt. */
export type RequestSignature = {
  readonly hash: Uint8Array
  readonly text: string
  readonly timestamp: number
  readonly nonce: string | null
  readonly bodyHash: string
  readonly publicKeyHex: string
}

/** A registered agent whose signature over this request is valid. */
export type Caller = {
  readonly agent: Agent
  readonly signature: RequestSignature
  /** The Idempotency-Key of the request, to be marked in the transaction of the change. */
  readonly held?: HeldKey
}
