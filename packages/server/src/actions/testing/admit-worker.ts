import { renewed, type TestingWorker } from '../../domain/testing/eligibility.ts'
import { findAgent } from '../agents/find-agent.ts'
import type { Operator } from '../agents/suspend-agent.ts'

type Change = (worker: TestingWorker) => TestingWorker

const change = (operator: Operator, idOrName: string, how: Change): Promise<TestingWorker> =>
  operator.store.transaction(async (tx) => {
    const { id } = await findAgent(tx, idOrName)
    await tx.lockAgent(id)
    const before = (await tx.testingWorker(id)) ?? renewed(null, id, operator.clock.now())
    const worker = how(before)
    await tx.saveTestingWorker(worker)
    return worker
  })

/** Lets an agent work on testing tasks regardless of its score; this also ends a suspension. */
export const allowWorker = (operator: Operator, idOrName: string): Promise<TestingWorker> =>
  change(operator, idOrName, (worker) => ({
    ...renewed(worker, worker.agentId, operator.clock.now()),
    allowListed: true,
    suspendedFor: null,
  }))

export const suspendWorker = (operator: Operator, idOrName: string, reason: string): Promise<TestingWorker> =>
  change(operator, idOrName, (worker) => ({ ...worker, suspendedFor: reason }))

/** Restarts the eligibility; this also ends a suspension. */
export const renewWorker = (operator: Operator, idOrName: string): Promise<TestingWorker> =>
  change(operator, idOrName, (worker) => ({
    ...renewed(worker, worker.agentId, operator.clock.now()),
    suspendedFor: null,
  }))
