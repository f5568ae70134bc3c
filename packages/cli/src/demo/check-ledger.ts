import {
  entryHash,
  hashDocument,
  isReceiptInEntry,
  type LedgerEntry,
  payloadHash,
  verifyReceiptSignature,
} from '@guildhall/protocol'
import type { Answer } from '@guildhall/sdk'
import { eventually } from './eventually.ts'
import type { Player } from './player.ts'
import type { Cast } from './register-agents.ts'
import type { Stage } from './stage.ts'
import { bountyAtomic } from './the-task.ts'

type Entry = Answer<'getEntry'>
type Receipt = Answer<'getReceipt'>['receipt']
type Proofs = { readonly entries: readonly Entry[]; readonly receipt: Receipt | undefined }

/** Fetches the story's ledger entries, and then checks them offline. */
export async function checkLedger(stage: Stage, cast: Cast, taskId: string, release: string | null): Promise<void> {
  const { narrator, network } = stage
  narrator.step('The ledger says so, and the receipt can be checked offline')
  const { entries, receipt } = await fetchProofs(cast, taskId)
  const ours = entries.filter(({ agent_id }) => agent_id === cast.buyer.agentId || agent_id === cast.worker.agentId)
  for (const { sequence, entry_type, entry_hash } of ours)
    narrator.say(`${String(sequence).padStart(5)}  ${entry_type.padEnd(21)} ${entry_hash}`)

  const delivery = ours.find(({ entry_type }) => entry_type === 'task_delivered')
  const payment = ours.find(({ entry_type }) => entry_type === 'task_payment_settled')
  const paid = { task_id: taskId, network, amount_atomic: bountyAtomic.toString(), tx_hash: release }
  const { payload } = receipt ?? {}
  narrator.check(
    receipt?.agent_id === cast.worker.agentId && verifyReceiptSignature(receipt),
    'the worker’s own key signed this delivery',
  )
  narrator.check(
    !!payload && payloadHash(payload) === receipt?.payload_hash,
    'the receipt commits to the delivered content',
  )
  narrator.check(
    !!receipt && !!delivery && isReceiptInEntry(receipt, delivery),
    `entry ${delivery?.sequence} of the ledger commits to this receipt`,
  )
  narrator.check(
    payment?.profile_hash === hashDocument(paid),
    `entry ${payment?.sequence} of the ledger commits to the release transaction`,
  )
  narrator.check(linksHold(entries), `${entries.length} entries hash as they say, each onto the one before`)
}

/** The last entry is sealed right after the payment is proven, so it may take a moment to appear. */
async function fetchProofs({ buyer, worker, firstEntry }: Cast, taskId: string): Promise<Proofs> {
  const entries = await eventually(
    () => readEntries(buyer, firstEntry),
    (found) =>
      found.some(({ entry_type, agent_id }) => entry_type === 'task_payment_settled' && agent_id === worker.agentId),
  )
  const { receipts } = await buyer.client.tasks.submission(taskId)
  return { entries, receipt: receipts[0] }
}

async function readEntries({ client }: Player, first: number): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const entry of client.chain.range(first)) entries.push(entry)
  return entries
}

const linksHold = (entries: readonly LedgerEntry[]): boolean =>
  entries.every(
    (entry, index) =>
      entry.entry_hash === entryHash(entry) && (index === 0 || entry.previous_hash === entries[index - 1]?.entry_hash),
  )
