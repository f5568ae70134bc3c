import { receiptHash } from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import type { Receipt, Submission } from '../../domain/delivery/delivery.ts'
import { receiptFields } from '../../domain/delivery/receipt-document.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { appendEntry } from '../append-entry.ts'

export type HandedIn = { readonly deliverer: Agent; readonly submission: Submission; readonly receipt: Receipt }

/** Writes a delivery and its pending ledger entry; returns the id by which its seal is found. */
export async function appendReceipt(
  world: World,
  tx: Transaction,
  { deliverer, submission, receipt }: HandedIn,
): Promise<string> {
  await tx.insertSubmission(submission)
  await tx.insertReceipt(receipt)
  const profileHash = receiptHash(receiptFields(receipt))
  return appendEntry(world, tx, { type: 'task_delivered', agent: deliverer, profileHash, receiptId: receipt.id })
}
