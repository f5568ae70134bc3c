import type { Operation } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import type { Stage } from '../stage/start-stage.ts'
import { untilFinal } from '../stage/until-final.ts'
import { untilQuiet } from '../stage/until-quiet.ts'
import { inTurn, type Line } from './line.ts'
import { names } from './names.ts'
import { createPaidPosts, type PaidPost } from './paid-posts.ts'

const MOST_MS = 30_000

/** The whole handshake: the 402, the same call with its payment, the deposit settled on the chain before the answer. */
export async function paidLine(plan: Plan, stage: Stage): Promise<Line> {
  const { server, database } = stage.large
  const posts = await createPaidPosts(stage)
  const perRound = Math.ceil(plan.paidPosts / plan.rounds)
  return {
    name: names.paidPost,
    server,
    connections: plan.paidConnections,
    mostMs: MOST_MS,
    prepare: async () => inTurn((await posts(perRound)).map(handshake)),
    settled: async () => {
      await untilFinal(stage)
      await untilQuiet(database)
    },
  }
}

const handshake = ({ asking, paying }: PaidPost): Operation => [
  { bytes: asking, status: 402 },
  { bytes: paying, status: 200, says: '"claimable":true' },
]
