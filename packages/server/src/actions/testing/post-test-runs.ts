import { MINUTE } from '@guildhall/protocol'
import { moved } from '../../domain/testing/lifecycle.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import { type MissingRun, missingRuns, packageOf } from '../../domain/testing/runs.ts'
import { publicText } from '../../domain/testing/task-text.ts'
import type { Reader, Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import type { TakenPayment } from '../money/take-payment.ts'
import type { Poster } from '../poster.ts'
import { changeOf } from '../signed-change.ts'
import { draftTask, type TaskRequest } from '../tasks/draft-task.ts'
import { openFunding } from '../tasks/open-funding.ts'
import { houseAsPoster } from './house-poster.ts'
import { signHouseDeposits } from './sign-house-deposit.ts'

const RETRY_MS = MINUTE

/**
 * The house posts a task for every missing run, all in one transaction with the request's move. Deposits are signed before it and
 * sent after it: one that is signed but not recorded is discarded, so no run is ever paid twice.
 */
export async function postTestRuns(world: World, requestId: string): Promise<boolean> {
  const request = await world.store.testingRequest(requestId)
  if (request === null || !isDue(world, request)) return false
  const missing = await missingOf(world.store, request)
  const { network, bountyAtomic: amount } = world.rules.testing
  const deposits = await signHouseDeposits(world, missing.length, { network, amount })
  if (deposits.kind === 'trouble') return noteTrouble(world, requestId, deposits.why)
  const house = await houseAsPoster(world)
  const posted = await changeOf(world, async (tx) => {
    const locked = await tx.lockTestingRequest(requestId)
    if (!locked || !isDue(world, locked)) return false
    const still = await missingOf(tx, locked)
    if (still.length !== missing.length) return false
    await tx.saveTestingRequest(moved(locked, 'runs are posted', { now: world.clock.now() }))
    for (const [place, run] of still.entries()) {
      const payment = deposits.payments[place]
      if (payment) await postRun(world, tx, house, { requestId, ...run, payment })
    }
    return true
  })
  world.nudge()
  return posted
}

const isDue = ({ clock }: World, { postAt }: TestingRequest): boolean => postAt !== null && postAt <= clock.now()

const missingOf = async (reader: Reader, { id, scope }: TestingRequest) =>
  missingRuns(packageOf(scope).runs, await reader.testingRuns(id))

async function postRun(
  world: World,
  tx: Transaction,
  house: Poster,
  { requestId, run, attempt, payment }: MissingRun & { readonly requestId: string; readonly payment: TakenPayment },
): Promise<void> {
  const { task } = await openFunding(world, tx, draftTask(world, house, taskOf(world)), payment, house)
  await tx.insertTestingRun({
    assignmentId: world.random.uuid(),
    requestId,
    run,
    attempt,
    taskId: task.id,
    outcome: null,
    reviewNote: null,
    decision: null,
    decisionNote: null,
    trouble: null,
    retryAt: null,
    createdAt: world.clock.now(),
    endedAt: null,
  })
}

const taskOf = ({ rules: { testing } }: World): TaskRequest => ({
  title: publicText.title,
  description: publicText.description,
  category: 'testing',
  requiredCapabilities: [publicText.capability],
  expectedOutput: publicText.expectedOutput,
  outputFormat: 'json',
  expiresInDays: publicText.expiresInDays,
  bounty: { amount: testing.bountyAtomic, network: testing.network },
  escrow: true,
})

async function noteTrouble(world: World, requestId: string, why: string): Promise<false> {
  await world.store.transaction(async (tx) => {
    const request = await tx.lockTestingRequest(requestId)
    if (!request || !isDue(world, request)) return
    await tx.saveTestingRequest({ ...request, trouble: why, postAt: world.clock.now() + RETRY_MS })
  })
  return false
}
