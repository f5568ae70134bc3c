import type { Task } from '@guildhall/server/parts'
import { SOUND_RPC } from '../chain/rpc.ts'
import { ask } from './history.ts'
import { makeGood, resume } from './operator.ts'
import type { Stage } from './stage.ts'

/** Ends all faults, restarts every node that is down, and gives everybody a payout wallet. */
export async function heal(stage: Stage): Promise<void> {
  const { day, nodes, cast, requests, history } = stage
  day.tell(() => 'everything heals')
  day.facilitator.mood = 'ok'
  day.signer.busy = 0
  Object.assign(day.database.faults, { cut: 0, lostCommit: 0 })
  for (const chain of day.chains.values()) {
    chain.halted = false
    chain.lag = 0
    chain.hasten()
  }
  for (const node of nodes) {
    Object.assign(node.rpc, SOUND_RPC)
    if (node.life) node.life.frozenUntil = 0
    else await node.start()
  }
  await resume(stage)
  for (const person of cast.agents) {
    const isBare = () => day.database.tables.agents.get(person.id)?.wallet === null
    while (isBare()) await ask(day, history, day.chance.pick(nodes), requests.proveWallet(person))
  }
  for (const task of day.database.tables.tasks.values()) {
    const isStuck = task.status === 'submitted' && task.escrow?.status === 'unfunded'
    if (isStuck) await giveUp(stage, task)
  }
  // A chain whose times lagged may have let something run out late.
  if (stage.takenBackAt > 0) await makeGood(stage)
}

/** The timer never pays work whose deposit is gone for good: its poster ends it. */
async function giveUp({ day, nodes, cast, requests, history }: Stage, task: Task): Promise<void> {
  const poster = cast.agents.find(({ id }) => id === task.creator.id) ?? null
  if (task.reviewState !== 'disputed') await ask(day, history, nodes[0], requests.dispute(poster, task))
  await ask(day, history, nodes[0], requests.cancel(poster, task))
}
