import type { EntryType } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** What a change commits to, written in its transaction; the sealer adds sequence and hash. */
export type PendingEntry = {
  readonly id: string
  readonly type: EntryType
  readonly agentId: string | null
  readonly agentName: string | null
  readonly publicKey: string | null
  readonly profileHash: string
  readonly receiptId: string | null
}

export type LedgerEntry = {
  readonly sequence: number
  readonly type: EntryType
  readonly agentId: string | null
  readonly agentName: string | null
  readonly publicKey: string | null
  readonly profileHash: string
  readonly previousHash: string
  readonly entryHash: string
  readonly timestamp: Instant
}

export type Checkpoint = {
  readonly sequence: number
  readonly entryHash: string
  readonly treeSize: number
  readonly rootHash: string
  readonly issuedAt: Instant
  readonly signature: string
}

export type Seal = { readonly sequence: number; readonly entryHash: string }
