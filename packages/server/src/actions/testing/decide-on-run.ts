import { Refusal } from '../../domain/refusal.ts'
import type { TaskTrigger } from '../../domain/task/lifecycle.ts'
import type { RunDecision, TestingRun } from '../../domain/testing/request.ts'
import { publicText } from '../../domain/testing/task-text.ts'
import type { World } from '../../ports/world.ts'
import { asCreator, posterChange } from '../poster.ts'
import { delivererWallet, lockTaskAsDue, moveTask } from '../tasks/move-task.ts'
import { houseAsPoster } from './house-poster.ts'

const TRIGGERS: Readonly<Record<RunDecision, TaskTrigger>> = {
  accept: 'accept',
  revise: 'revision',
  dispute: 'dispute',
  cancel: 'cancel',
}

/** Carries out an operator's decision on a delivery. The note goes only to the worker; the public task shows just the state. */
export async function decideOnRun(world: World, run: TestingRun): Promise<boolean> {
  try {
    await decide(world, run.taskId)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'service_unavailable') throw error
    await noteTrouble(world, run, error.message)
  }
  world.nudge()
  return true
}

async function decide(world: World, taskId: string): Promise<void> {
  const house = await houseAsPoster(world)
  await posterChange(world, house, async (tx) => {
    const task = await lockTaskAsDue(world, tx, taskId)
    const run = await tx.lockTestingRun(taskId)
    if (!run?.decision) return
    const note = run.decision === 'accept' ? null : publicText.reviewNote
    await moveTask(world, tx, task, {
      trigger: TRIGGERS[run.decision],
      actor: asCreator(house),
      wallet: await delivererWallet(tx, task),
      note,
      signature: house.signature,
    })
    await tx.saveTestingRun({ ...run, ...UNDECIDED, trouble: null, reviewNote: run.decisionNote })
  })
}

const UNDECIDED = { decision: null, decisionNote: null } as const

/** A newer decision of an operator may not have been tried yet: it stays. */
const noteTrouble = (world: World, { taskId, decision, decisionNote }: TestingRun, trouble: string): Promise<void> =>
  world.store.transaction(async (tx) => {
    const run = await tx.lockTestingRun(taskId)
    if (run?.decision === decision && run.decisionNote === decisionNote)
      await tx.saveTestingRun({ ...run, ...UNDECIDED, trouble })
  })
