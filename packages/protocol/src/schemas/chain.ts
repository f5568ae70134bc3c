import { z } from 'zod'
import { PROFILE_HASH_DESCRIPTION } from '../ledger/entry-documents.ts'
import { ENTRY_TYPES } from '../ledger/entry-types.ts'
import { HexHash, Timestamp } from './scalars.ts'

const EntryType = z.enum(ENTRY_TYPES)

export const ChainEntry = z.object({
  sequence: z.int(),
  entry_type: EntryType,
  agent_id: z.string().nullable(),
  agent_name: z.string().nullable(),
  public_key: z.string().nullable(),
  profile_hash: HexHash.meta({ description: PROFILE_HASH_DESCRIPTION }),
  previous_hash: HexHash,
  entry_hash: HexHash,
  timestamp: Timestamp,
})

export const Checkpoint = z.object({
  sequence: z.int(),
  entry_hash: HexHash,
  tree_size: z.int(),
  root_hash: HexHash,
  issued_at: Timestamp,
  signature: z.string(),
})

export const MerkleProof = z.object({ tree_size: z.int(), root_hash: HexHash, proof: z.array(HexHash) })
