import { DeliveryReceipt, type LedgerEntry, type SignedCheckpoint, type SignedReceipt } from '@guildhall/protocol'
import { z } from 'zod'

// What is published to be checked, in the form that computing with it needs. Whether its values hold is for the check to say; a
// later service may know more types of entries and deliveries than this client.

const textOrNone = z.exactOptional(z.string().nullable())

export const PublishedEntry = z.object({
  sequence: z.number(),
  previous_hash: z.string(),
  entry_type: z.string(),
  agent_id: textOrNone,
  public_key: textOrNone,
  profile_hash: textOrNone,
  timestamp: z.string(),
  entry_hash: z.string(),
}) satisfies z.ZodType<LedgerEntry>

const PublishedCheckpoint = z.object({
  sequence: z.number(),
  entry_hash: z.string(),
  tree_size: z.number(),
  root_hash: z.string(),
  issued_at: z.string(),
  signature: z.string(),
}) satisfies z.ZodType<SignedCheckpoint>

export const PublishedCheckpoints = z.object({ checkpoints: z.array(PublishedCheckpoint) })

export const PublishedPage = PublishedCheckpoints.extend({ entries: z.array(PublishedEntry) })

export const PublishedReceipt = DeliveryReceipt.extend({
  submission_type: z.string(),
}) satisfies z.ZodType<SignedReceipt>
