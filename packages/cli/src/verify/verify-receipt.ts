import { endpoints, isCanonical, isReceiptInEntry, payloadHash, verifyReceiptSignature } from '@guildhall/protocol'
import type { Answer, Guildhall } from '@guildhall/sdk'
import { checkAnswer } from '../check-answer.ts'
import type { Narrator } from '../demo/narrator.ts'
import { DoesNotHoldError } from './does-not-hold-error.ts'
import { checkEntryIsUnderCheckpoint } from './entry-is-under-checkpoint.ts'
import { ifThere } from './if-there.ts'

type Receipt = Answer<'getReceipt'>['receipt']
type Client = Pick<Guildhall, 'call' | 'chain' | 'tasks'>

/** Checks every delivery of a task: who signed it, and that the ledger has committed to it. Returns how many there are. */
export async function verifyReceipts(
  client: Client,
  taskId: string,
  narrator: Narrator,
  registryKey?: string,
): Promise<number> {
  const receipts = await client.tasks.receipts(taskId)
  checkAnswer(endpoints.listReceipts.returns.shape.receipts.safeParse(receipts).success && isCanonical(receipts))
  for (const receipt of receipts) await verifyReceipt(client, taskId, receipt, narrator, registryKey)
  return receipts.length
}

async function verifyReceipt(
  client: Client,
  taskId: string,
  receipt: Receipt,
  narrator: Narrator,
  registryKey?: string,
): Promise<void> {
  narrator.step(`Receipt ${receipt.receipt_id}, revision ${receipt.revision}`)
  narrator.fact('agent', receipt.agent_id)
  narrator.fact('delivered', receipt.completed_at)
  const holds = (held: boolean, sentence: string): void => {
    narrator.check(held, sentence)
    if (!held) throw new DoesNotHoldError(`Receipt ${receipt.receipt_id} of ${taskId} does not hold.`)
  }
  holds(receipt.task_id === taskId, 'it is a receipt of this task')
  holds(verifyReceiptSignature(receipt), 'the agent’s own key signed the request that delivered this')
  if (receipt.payload === null) narrator.say('The delivery is private: the receipt shows its hash alone.')
  else holds(payloadHash(receipt.payload) === receipt.payload_hash, 'it commits to the delivered content')
  if (receipt.chain_sequence === null) return holds(false, 'it is in the ledger')
  const commits = `entry ${receipt.chain_sequence} of the ledger commits to exactly this receipt`
  const entry = await ifThere(client.chain.entry(receipt.chain_sequence))
  if (entry === null) return holds(false, commits)
  holds(isReceiptInEntry(receipt, entry), commits)
  await checkEntryIsUnderCheckpoint(client, entry, holds, registryKey)
}
