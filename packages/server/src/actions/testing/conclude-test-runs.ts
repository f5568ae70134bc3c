import type { WorkerResult } from '@guildhall/protocol'
import type { Task } from '../../domain/task/task.ts'
import { type AcceptedRun, compileReport } from '../../domain/testing/compile-report.ts'
import { renewed } from '../../domain/testing/eligibility.ts'
import { moved } from '../../domain/testing/lifecycle.ts'
import { nothingMail, reportMail } from '../../domain/testing/mail-texts.ts'
import type { TestingRequest, TestingRun } from '../../domain/testing/request.ts'
import { haveEnded, missingRuns, outcomeOf, packageOf } from '../../domain/testing/runs.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { mailOwner } from './mail-owner.ts'

/** Records the outcomes of a request's runs; after the last one the report is compiled, once. */
export async function concludeTestRuns(world: World, requestId: string): Promise<boolean> {
  const done = await world.store.transaction(async (tx) => {
    const request = await tx.lockTestingRequest(requestId)
    if (request?.status !== 'running') return false
    const before = await tx.testingRuns(requestId)
    const runs: TestingRun[] = []
    for (const run of before) runs.push(run.outcome === null ? await conclude(world, tx, run) : run)
    await goOn(world, tx, request, runs)
    return true
  })
  world.nudge()
  return done
}

async function conclude(world: World, tx: Transaction, before: TestingRun): Promise<TestingRun> {
  const run = (await tx.lockTestingRun(before.taskId)) ?? before
  const task = await tx.task(run.taskId)
  const outcome = task === null ? null : outcomeOf(task)
  if (task === null || outcome === null) return run
  const ended = { ...run, outcome, endedAt: world.clock.now(), trouble: null, decision: null, decisionNote: null }
  await tx.saveTestingRun(ended)
  if (outcome === 'accepted') await renew(world, tx, task)
  return ended
}

/** An accepted result renews the worker's eligibility. Whoever changes it holds the agent's row: no suspension may be lost. */
async function renew(world: World, tx: Transaction, { claimedBy }: Task): Promise<void> {
  if (claimedBy === null) return
  await tx.lockAgent(claimedBy)
  await tx.saveTestingWorker(renewed(await tx.testingWorker(claimedBy), claimedBy, world.clock.now()))
}

async function goOn(
  world: World,
  tx: Transaction,
  request: TestingRequest,
  runs: readonly TestingRun[],
): Promise<void> {
  const now = world.clock.now()
  const { runs: planned } = packageOf(request.scope)
  if (!haveEnded(planned, runs)) {
    if (missingRuns(planned, runs).length > 0 && request.postAt === null)
      await tx.saveTestingRequest({ ...request, postAt: now })
    return
  }
  const accepted = runs.filter(({ outcome }) => outcome === 'accepted')
  const { baseUrl, serviceName } = world.rules
  const url = `${baseUrl}/console/testing/${request.id}`
  if (accepted.length === 0) {
    await tx.saveTestingRequest(moved(request, 'no run was accepted', { now }))
    return mailOwner(world, tx, request, nothingMail(serviceName, url))
  }
  const results: AcceptedRun[] = []
  for (const { run, taskId } of accepted) results.push({ run, result: await resultOf(tx, taskId) })
  const report = compileReport(request.scopeHash, planned, results)
  await tx.saveTestingRequest(moved(request, 'all runs have ended', { now, acceptedRuns: accepted.length }))
  if (await tx.insertTestingReport(request.id, report, now))
    await mailOwner(world, tx, request, reportMail(serviceName, url))
}

/** The newest delivery of the agent that held the task at acceptance; it was validated when it was delivered. */
async function resultOf(tx: Transaction, taskId: string): Promise<WorkerResult> {
  const task = await tx.task(taskId)
  const newest = (await tx.submissions(taskId)).find(({ agentId }) => agentId === task?.claimedBy)
  if (!newest?.content) throw new Error(`the accepted run ${taskId} has no result`)
  return JSON.parse(newest.content) as WorkerResult
}
