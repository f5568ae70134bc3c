import { MINUTE } from '@guildhall/protocol'
import { watchWallets } from '@guildhall/server/parts'
import { withChanges } from '../with-changes.ts'
import type { Request } from './callers.ts'
import { ask, onNode } from './history.ts'
import { returnStrays, suspendForAWhile } from './operator.ts'
import type { Stage } from './stage.ts'

/**
 * A node stands still between checking a payment and writing it down, and the payer sends that by itself: when it is written down,
 * it has been taken for a stray, or has gone back as one. Nodes that could not look until then look for the first time only now, and
 * an operator may have suspended the payer.
 */
export async function overtake(stage: Stage): Promise<void> {
  const { day, nodes, cast, history } = stage
  const { chance, chains, scheduler } = day
  const [slow, other] = chance.happens(0.5) ? nodes : ([nodes[1], nodes[0]] as const)
  const request = paidRequest(stage)
  const { authorization } = request.payment ?? {}
  if (!authorization) return
  const answer = ask(
    day,
    history,
    slow,
    beforeWriting(request, () => {
      slow.freeze(5 * MINUTE)
      chains.get(authorization.network)?.send('authorized', authorization)
      const payer = cast.agents.find(({ id }) => id === request.by)
      if (payer && chance.happens(0.2)) void suspendForAWhile(stage, payer)
    }),
  )
  await scheduler.pause(null, MINUTE + chance.below(2 * MINUTE))
  for (const { rpc } of nodes) rpc.blind = false
  await onNode(day, other, 'look', watchWallets)
  if (chance.happens(0.7)) await returnStrays(stage, other, 1)
  await answer
}

function paidRequest({ day: { chance }, cast, requests }: Stage): Request {
  const person = chance.pick(cast.agents)
  const luck = chance.next()
  if (luck < 0.4) return requests.postInEscrow(person)
  return luck < 0.6 ? requests.hire(chance.pick(cast.buyers)) : requests.bond(person)
}

/** The first transaction of a request writes its payment down; a frozen node does not even begin it. */
const beforeWriting = (request: Request, act: () => void): Request => ({
  ...request,
  send: (world) => {
    const { store, failpoints } = world
    let isFirst = true
    const transaction: typeof store.transaction = async (work) => {
      if (isFirst) act()
      isFirst = false
      await failpoints.reach('payment: checked')
      return store.transaction(work)
    }
    return request.send({ ...world, store: withChanges(store, { transaction }) })
  },
})
