import { payloadHash } from '@guildhall/protocol'
import type { Caller } from '../../domain/caller.ts'
import type { Delivery, Receipt, Submission } from '../../domain/delivery/delivery.ts'
import { receiptPayload } from '../../domain/delivery/receipt-document.ts'
import type { Seal } from '../../domain/ledger/ledger.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'
import { sharedSignedChange } from '../signed-change.ts'
import { checkTestResult } from '../testing/check-test-result.ts'
import { lockTaskAsDue, moveTask } from './move-task.ts'

export type Delivered = {
  readonly task: Task
  readonly submission: Submission
  readonly receipt: Receipt
  readonly seal: Seal | null
}

/** The receipt, its ledger entry and the move share one transaction; the answer waits for the seal. */
export async function deliverTask(
  world: World,
  caller: Caller,
  taskId: string,
  delivery: Delivery,
): Promise<Delivered> {
  const { pendingEntry, ...delivered } = await sharedSignedChange(world, caller, [taskId], async (tx) => {
    const before = await lockTaskAsDue(world, tx, taskId)
    const deliversAgain = before.receiptsCount > 0 && (await hasDelivered(tx, before, caller.agent.id))
    const submission = submissionOf(world, caller, before, delivery)
    const receipt = receiptOf(world, caller, before, submission)
    const handedIn = { deliverer: caller.agent, submission, receipt }
    const { task, pendingEntry } = await moveTask(world, tx, before, {
      trigger: 'deliver',
      actor: { kind: 'agent', id: caller.agent.id },
      deliversAgain,
      handedIn,
    })
    await checkTestResult(tx, task, delivery)
    return { task, submission, receipt, pendingEntry }
  })
  return { ...delivered, seal: pendingEntry === null ? null : await world.ledger.sealed(pendingEntry) }
}

const hasDelivered = async (tx: Transaction, { id }: Task, byAgentId: string): Promise<boolean> =>
  (await tx.receipts(id)).some(({ agentId }) => agentId === byAgentId)

const submissionOf = (world: World, caller: Caller, task: Task, delivery: Delivery): Submission => ({
  id: newId(world, 'sub'),
  taskId: task.id,
  agentId: caller.agent.id,
  ...delivery,
  salt: Buffer.from(world.random.bytes(32)).toString('hex'),
  createdAt: world.clock.now(),
})

const receiptOf = (world: World, caller: Caller, task: Task, submission: Submission): Receipt => ({
  id: newId(world, 'rcpt'),
  taskId: task.id,
  agentId: caller.agent.id,
  submissionId: submission.id,
  type: submission.type,
  payloadHash: payloadHash(receiptPayload(submission)),
  revision: task.receiptsCount,
  completedAt: submission.createdAt,
  signed: {
    signature: caller.signature.text,
    timestamp: caller.signature.timestamp,
    nonce: caller.signature.nonce,
    bodyHash: caller.signature.bodyHash,
    publicKeyHex: caller.signature.publicKeyHex,
  },
  chainSequence: null,
  chainEntryHash: null,
})
