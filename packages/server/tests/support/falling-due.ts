import { give, newBuyer, newWorker, type Player } from './cast.ts'
import { newPerson, postAs } from './people.ts'
import type { Stage } from './stage.ts'
import { aBounty, claimAndDeliver, deliveredTask, postEscrowed } from './tasks.ts'

/** So many tasks of each kind that a timer ends, a delivery that a person has to review, and a stray payment of 3 USDC. */
export async function fallingDue(stage: Stage, worker: Player, times: number) {
  const several = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: times }, make))
  const [buyer, idler] = [await newBuyer(stage, { usdc: '200' }), await newWorker(stage)]
  const person = await newPerson(stage)
  const bounty = aBounty(2)
  const delivered = await several(() => deliveredTask(buyer, worker, { bounty }))
  const expiring = await several(() => postEscrowed(buyer, { bounty, expires_in_days: 6 }))
  const claimed = await several(() => postEscrowed(buyer, { bounty, expires_in_days: 30 }))
  for (const id of claimed) await idler.client.tasks.claim(id)
  const reviewed = await postAs(stage, person)
  await claimAndDeliver(worker, reviewed)
  await give(stage, stage.escrow.address, '3')
  return { buyer, idler, person, delivered, expiring, claimed, reviewed }
}

/** The tasks that a player was told of by events of this type. */
export const toldOf = async (player: Player, type: string): Promise<readonly string[]> =>
  (await player.client.events.list({ type, limit: 100 })).events.map(({ ref_id }) => ref_id).toSorted()
