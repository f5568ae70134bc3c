import { MINUTE, SECOND } from '@guildhall/protocol'
import { settleTransfer, type Transfer, type World } from '@guildhall/server/parts'
import { withChanges } from '../with-changes.ts'
import { onNode } from './history.ts'
import { pauseFor, redirect } from './operator.ts'
import { isWatched, reorganise } from './reorganise.ts'
import type { Stage } from './stage.ts'

/** What matters most happens while a payout is being signed: the chain takes back what it rests on, or an operator pauses payouts. */
export function interruptSigning(stage: Stage): void {
  const { day } = stage
  const { chance, database, signer } = day
  signer.onSign.push((id) => {
    const payout = database.tables.transfers.get(id)
    if (payout === undefined || stage.isOver) return
    if (day.isDeep && chance.happens(payout.purpose === 'withdrawal' ? 0.3 : 0.2)) takeBack(stage, payout)
    if (chance.happens(0.03)) void pauseFor(stage, 1 + chance.below(20 * MINUTE))
    if (payout.purpose === 'release' && chance.happens(0.1)) void redirect(stage, payout)
  })
}

/** Some node notices at once, and may be slow to write down what it means. */
function takeBack(stage: Stage, payout: Transfer): void {
  const { day, nodes } = stage
  const { chance, database } = day
  const isBasis = ({ id, purpose, agentId }: Transfer) =>
    payout.purpose === 'withdrawal' ? purpose === 'bond' && agentId === payout.agentId : id === payout.depositId
  const basis = chance.pick([...database.tables.transfers.values()].filter((one) => isBasis(one) && isWatched(one)))
  if (basis === undefined) return
  reorganise(stage, basis)
  const isSlow = chance.happens(0.5)
  void onNode(day, chance.pick(nodes), 'look again', (world) =>
    settleTransfer(isSlow ? slowToCallOff(stage, world) : world, basis.id),
  )
}

/** By the time it calls off withdrawals that were not signed, they may be. */
function slowToCallOff({ day: { chance, scheduler } }: Stage, world: World): World {
  const { store } = world
  return {
    ...world,
    store: withChanges(store, {
      transaction: (work) =>
        store.transaction((tx) =>
          work(
            withChanges(tx, {
              async unsentWithdrawals(agentId) {
                const unsent = await tx.unsentWithdrawals(agentId)
                await scheduler.pause(null, chance.below(SECOND))
                return unsent
              },
            }),
          ),
        ),
    }),
  }
}
