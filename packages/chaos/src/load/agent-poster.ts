import { type Crowd, insist } from './insist.ts'
import { NETWORKS } from './networks.ts'
import type { Person } from './notebook.ts'
import type { Poster } from './task-career.ts'

export const agentPoster = (crowd: Crowd, buyer: Person): Poster => ({
  id: buyer.id,
  networks: NETWORKS,
  post: ({ bounty, network, ...text }) =>
    insist(crowd, buyer, ({ tasks }, options) =>
      tasks.post({ ...text, bounty: { amount: String(bounty), network } }, options),
    ),
  decide: (id, decision) =>
    insist(crowd, buyer, ({ tasks }, options): Promise<unknown> => {
      switch (decision) {
        case 'accept':
          return tasks.accept(id, { rating: 5 }, options)
        case 'revision':
          return tasks.revision(id, { note: 'Louder, please.' }, options)
        case 'dispute':
          return tasks.dispute(id, { reason: 'That was German.' }, options)
        case 'cancel':
          return tasks.cancel(id, {}, options)
      }
    }),
})
