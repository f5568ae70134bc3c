import type { Posting } from '../../domain/journal/posting.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'

type Share = Pick<Posting, 'network' | 'amount' | 'reason' | 'taskId' | 'agentId'> &
  ({ readonly debit: 'bonds'; readonly credit: 'house' } | { readonly debit: 'house'; readonly credit: 'bonds' })

/** Moves a part of an agent's bond to the house or back. Nothing moves on the chain. */
export const postBondShare = (world: World, tx: Transaction, share: Share): Promise<void> =>
  tx.post({ ...share, id: newId(world, 'jrn'), transferId: null, txHash: null, createdAt: world.clock.now() })
