import { acceptDelivery } from './accept-delivery.ts'
import { readBalances, tellBalances } from './balances.ts'
import { checkLedger } from './check-ledger.ts'
import { deliverWork } from './deliver-work.ts'
import { fundBuyer } from './fund-buyer.ts'
import { postTask } from './post-task.ts'
import { provePayoutWallet } from './prove-payout-wallet.ts'
import { registerAgents } from './register-agents.ts'
import type { Stage } from './stage.ts'

/** The whole story, one step after the other; gives the id of the task. */
export async function playStory(stage: Stage): Promise<string> {
  const cast = await registerAgents(stage)
  await provePayoutWallet(stage, cast.worker)
  await fundBuyer(stage, cast.buyer)
  const before = await readBalances(stage, cast)
  const taskId = await postTask(stage, cast.buyer)
  const held = await readBalances(stage, cast)
  await deliverWork(stage, cast.worker, taskId)
  const release = await acceptDelivery(stage, cast, taskId)
  const after = await readBalances(stage, cast)
  tellBalances(stage, { before, held, after })
  await checkLedger(stage, cast, taskId, release)
  return taskId
}
