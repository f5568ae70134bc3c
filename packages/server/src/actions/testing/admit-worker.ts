import { renewed, type TestingWorker } from '../../domain/testing/eligibility.ts'
import type { Office } from '../../ports/office.ts'
import { findAgent } from '../agents/find-agent.ts'

type Change = (worker: TestingWorker) => TestingWorker

const change = (office: Office, idOrName: string, how: Change): Promise<TestingWorker> =>
  office.store.transaction(async (tx) => {
    const { id } = await findAgent(tx, idOrName)
    await tx.lockAgent(id)
    const before = (await tx.testingWorker(id)) ?? renewed(null, id, office.clock.now())
    const worker = how(before)
    await tx.saveTestingWorker(worker)
    return worker
  })

/** Lets an agent work on testing tasks regardless of its score; this also ends a suspension. */
export const allowWorker = (office: Office, idOrName: string): Promise<TestingWorker> =>
  change(office, idOrName, (worker) => ({
    ...renewed(worker, worker.agentId, office.clock.now()),
    allowListed: true,
    suspendedFor: null,
  }))

export const suspendWorker = (office: Office, idOrName: string, reason: string): Promise<TestingWorker> =>
  change(office, idOrName, (worker) => ({ ...worker, suspendedFor: reason }))

/** Restarts the eligibility; this also ends a suspension. */
export const renewWorker = (office: Office, idOrName: string): Promise<TestingWorker> =>
  change(office, idOrName, (worker) => ({
    ...renewed(worker, worker.agentId, office.clock.now()),
    suspendedFor: null,
  }))
