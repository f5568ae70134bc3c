import { refuse } from '../../domain/refusal.ts'
import { moved, type TestingTrigger } from '../../domain/testing/lifecycle.ts'
import { rejectionMail } from '../../domain/testing/mail-texts.ts'
import type { RunDecision, TestingRequest, TestingRun } from '../../domain/testing/request.ts'
import type { Office } from '../../ports/office.ts'
import { mailOwner } from './mail-owner.ts'

/** The house will pay for the runs; the nodes post them. */
export const approveTesting = (office: Office, id: string): Promise<TestingRequest> =>
  judge(office, id, 'approve', null)

/** Mails the owner the reason. */
export const rejectTesting = (office: Office, id: string, note: string): Promise<TestingRequest> =>
  judge(office, id, 'reject', note)

const judge = (office: Office, id: string, trigger: TestingTrigger, note: string | null): Promise<TestingRequest> =>
  office.store.transaction(async (tx) => {
    const request = (await tx.lockTestingRequest(id)) ?? refuse('not_found', {}, `There is no testing request ${id}.`)
    const judged = moved(request, trigger, { now: office.clock.now(), note })
    await tx.saveTestingRequest(judged)
    if (note !== null) await mailOwner(office, tx, request, rejectionMail(note))
    return judged
  })

/** Stores a decision on a delivery for the nodes to carry out. */
export const leaveDecision = (
  office: Office,
  taskId: string,
  decision: RunDecision,
  note: string | null,
): Promise<TestingRun> =>
  office.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    const run = await tx.lockTestingRun(taskId)
    if (!task || !run) return refuse('not_found', {}, `There is no test run ${taskId}.`)
    if (run.outcome !== null)
      refuse('invalid_state', { status: task.status }, `The run has ended: it was ${run.outcome}.`)
    const decided = { ...run, decision, decisionNote: note, trouble: null }
    await tx.saveTestingRun(decided)
    return decided
  })
