import { encodeHeaderJson, MINUTE } from '@guildhall/protocol'
import { Refusal } from '../../domain/refusal.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TestingRun } from '../../domain/testing/request.ts'
import type { World } from '../../ports/world.ts'
import type { TakenPayment } from '../money/take-payment.ts'
import { fundingOffer, fundTask } from '../tasks/fund-task.ts'
import { houseAsPoster } from './house-poster.ts'
import { signHouseDeposits } from './sign-house-deposit.ts'

const RETRY_MS = MINUTE

/** Pays a house deposit again that is proven dead, in the way every poster does. */
export async function fundTestRun(world: World, task: Task, run: TestingRun): Promise<boolean> {
  const why = await payAgain(world, task)
  if (why === null) return true
  const retryAt = world.clock.now() + RETRY_MS
  await world.store.transaction(async (tx) => {
    const current = await tx.lockTestingRun(run.taskId)
    if (current?.outcome === null) await tx.saveTestingRun({ ...current, trouble: why, retryAt })
  })
  return false
}

/** Null when it is paid or in flight, otherwise the reason why not. */
async function payAgain(world: World, task: Task): Promise<string | null> {
  if (task.bounty === null) return 'the task has no bounty'
  const signed = await signHouseDeposits(world, 1, task.bounty)
  if (signed.kind === 'trouble') return signed.why
  const [payment] = signed.payments
  try {
    if (payment) await fundTask(world, await houseAsPoster(world), task.id, headerOf(world, task, payment))
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function headerOf(world: World, task: Task, { authorization, signature }: TakenPayment): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const [accepted] = fundingOffer(world, task).accepts
  const texts = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
  return encodeHeaderJson({
    x402Version: 2,
    accepted,
    payload: { signature, authorization: { from, to, nonce, ...texts } },
  })
}
