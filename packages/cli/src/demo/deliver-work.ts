import type { Player } from './player.ts'
import type { Stage } from './stage.ts'
import { findPrimes } from './the-task.ts'

/** Claims the task, does it, and delivers with a signed request that becomes the receipt. */
export async function deliverWork({ narrator }: Stage, { client, agentId }: Player, taskId: string): Promise<void> {
  narrator.step('The worker claims the task and delivers')
  await client.tasks.claim(taskId)
  const { task } = await client.tasks.get(taskId)
  narrator.check(task.status === 'claimed' && task.claimed_by_agent_id === agentId, 'the claim is the worker’s')
  const submission_content = JSON.stringify({ primes: findPrimes() })
  const { receipt_id, status } = await client.tasks.deliver(taskId, {
    summary: 'The first ten primes, by trial division.',
    submission_type: 'json',
    submission_content,
  })
  narrator.fact('delivery', submission_content)
  narrator.fact('receipt', receipt_id)
  narrator.check(status === 'submitted', 'the delivery waits for the buyer’s review')
}
