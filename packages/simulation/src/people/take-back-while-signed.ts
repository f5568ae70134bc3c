import { settleTransfer, type Transfer } from '@guildhall/server/parts'
import { onNode } from './history.ts'
import { isWatched, reorganise } from './reorganise.ts'
import type { Stage } from './stage.ts'

/** On deep days a chain takes a bond back while its withdrawal is being signed, and some node notices at once. */
export function takeBackWhileSigned(stage: Stage): void {
  const { day, nodes } = stage
  const { chance, database, signer } = day
  if (!day.isDeep) return
  signer.onSign.push((id) => {
    const { purpose, agentId } = database.tables.transfers.get(id) ?? {}
    if (purpose !== 'withdrawal' || stage.isOver || !chance.happens(0.3)) return
    const isOwn = (one: Transfer) => one.purpose === 'bond' && one.agentId === agentId && isWatched(one)
    const bond = chance.pick([...database.tables.transfers.values()].filter(isOwn))
    if (bond === undefined) return
    reorganise(stage, bond)
    void onNode(day, chance.pick(nodes), 'look again', (world) => settleTransfer(world, bond.id))
  })
}
