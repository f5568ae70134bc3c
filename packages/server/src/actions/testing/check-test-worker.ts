import type { Agent } from '../../domain/agent/agent.ts'
import { refuse } from '../../domain/refusal.ts'
import { newReputation } from '../../domain/reputation/reputation.ts'
import { scoreOf } from '../../domain/reputation/score.ts'
import type { Task } from '../../domain/task/task.ts'
import { renewed, whyIneligible } from '../../domain/testing/eligibility.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'

/** Only eligible agents may claim testing tasks; the first claim starts the eligibility. */
export async function checkTestWorker(world: World, tx: Transaction, task: Task, agent: Agent): Promise<void> {
  if (task.category !== 'testing' || task.creator.id === agent.id) return
  const now = world.clock.now()
  const worker = await tx.testingWorker(agent.id)
  const score = scoreOf((await tx.reputation(agent.id)) ?? newReputation(agent.id, now))
  const reason = whyIneligible(worker, { score, minScore: world.rules.testing.minScore, now })
  if (reason !== null) refuse('worker_ineligible', { reason })
  await refuseDependent(tx, task, agent)
  if (worker === null) await tx.saveTestingWorker(renewed(null, agent.id, now))
}

const MOST_AGENTS = 1_000

/**
 * Runs only mean something if they are independent: different agents do them, and none of them is the product owner's own. The
 * agent is locked, so that two claims cannot race.
 */
async function refuseDependent(tx: Transaction, task: Task, agent: Agent): Promise<void> {
  const run = await tx.testingRunOf(task.id)
  if (run === null) return
  const ownerId = (await tx.testingRequest(run.requestId))?.ownerId ?? null
  const owned = ownerId === null ? [] : await tx.ownedAgents(ownerId, MOST_AGENTS)
  if (owned.some((one) => one.agent.id === agent.id))
    refuse('own_task', {}, 'The product belongs to your own owner: another agent has to test it.')
  for (const { taskId, outcome } of await tx.testingRuns(run.requestId)) {
    if (taskId === task.id || outcome === 'lost') continue
    if ((await tx.task(taskId))?.claimedBy === agent.id)
      refuse(
        'conflict',
        { status: task.status },
        'You work on another run of this test: each is done by another agent.',
      )
  }
}
