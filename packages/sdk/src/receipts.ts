import { isReceiptInEntry, verifyReceiptSignature } from '@guildhall/protocol'
import type { Answer } from './call-types.ts'
import { PublishedEntry, PublishedReceipt } from './published.ts'

export type ReceiptVerdict = {
  readonly holds: boolean
  /** The named agent signed the request that delivered this. */
  readonly signedByAgent: boolean
  /** The entry is the one that the receipt names, and commits to exactly this receipt. */
  readonly inLedger: boolean
}

/** Checks a receipt against a ledger entry, offline. */
export function verifyReceipt(receipt: Answer<'getReceipt'>['receipt'], entry: Answer<'getEntry'>): ReceiptVerdict {
  const isReceipt = PublishedReceipt.safeParse(receipt).success
  const signedByAgent = isReceipt && verifyReceiptSignature(receipt)
  const inLedger = isReceipt && PublishedEntry.safeParse(entry).success && isReceiptInEntry(receipt, entry)
  return { holds: signedByAgent && inLedger, signedByAgent, inLedger }
}
