import { randomUUID } from 'node:crypto'
import { agentPoster } from './agent-poster.ts'
import { putUpBond, takeBondBack } from './bond-career.ts'
import { type Crowd, insist, isDone } from './insist.ts'
import type { Person } from './notebook.ts'
import { hireAndReview, thinkBetter } from './task-career.ts'
import { type Hirer, walletPoster } from './wallet-poster.ts'

export type Cast = {
  readonly buyers: readonly Person[]
  readonly workers: readonly Person[]
  readonly hirers: readonly Hirer[]
  /** The clients of a new agent that is not registered yet. */
  readonly stranger: () => Person['clients']
}

/** One random use of the service, from its beginning to its end. */
export async function careers(crowd: Crowd, cast: Cast): Promise<void> {
  const luck = crowd.chance.next()
  const buyer = () => agentPoster(crowd, one(crowd, cast.buyers))
  const hirer = () => walletPoster(crowd, one(crowd, cast.hirers))
  const worker = () => one(crowd, cast.workers)
  if (luck < 0.45) return hireAndReview(crowd, buyer(), worker())
  if (luck < 0.6) return hireAndReview(crowd, hirer(), worker())
  if (luck < 0.7) return thinkBetter(crowd, buyer())
  if (luck < 0.75) return thinkBetter(crowd, hirer())
  if (luck < 0.85) return putUpBond(crowd, worker())
  if (luck < 0.95) return takeBondBack(crowd, worker())
  return register(crowd, cast)
}

/** A registration has no Idempotency-Key: a repeat that finds the name or agent taken has found its own. */
async function register(crowd: Crowd, { stranger }: Cast): Promise<void> {
  const clients = stranger()
  const { agentId } = clients[0]
  const profile = { name: `passer-by ${randomUUID()}`, description: 'Looks around.', capabilities: ['looking'] }
  const outcome = await insist(crowd, { clients }, ({ agents }) => agents.register(profile))
  const isThere = outcome.kind === 'refused' && (outcome.code === 'name_taken' || outcome.code === 'conflict')
  if (agentId !== null && (isThere || isDone(crowd, 'a registration', outcome))) crowd.notebook.registered.push(agentId)
}

function one<T>({ chance }: Crowd, people: readonly T[]): T {
  const [first, ...others] = people
  if (first === undefined) throw new Error('Nobody is there.')
  return chance.pick([first, ...others])
}
