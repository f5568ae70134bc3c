import { createReserves } from '../../actions/custody/read-reserves.ts'
import { servedNetwork } from '../../actions/money/served-network.ts'
import { isoTime } from '../../domain/instant.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { authorizationView } from '../views/authorization-view.ts'

export function custodyHandlers(world: World): Pick<Handlers, 'reserves' | 'getAuthorization'> {
  const readReserves = createReserves(world)
  return {
    async reserves() {
      const [{ networks, checkedAt }, watches, { paused, reason }] = await Promise.all([
        readReserves(),
        world.store.watches(),
        world.store.payoutsPaused(),
      ])
      const watchOf = (network: string) => watches.find((watch) => watch.network === network)
      return {
        body: {
          networks: networks.map(({ network, liabilities, house, held }) => ({
            network,
            liabilities_atomic: liabilities.toString(),
            house_atomic: house.toString(),
            balance_atomic: held?.atomic.toString() ?? null,
            block: blockNumber(held?.block),
            reconciled_block: blockNumber(watchOf(network)?.proven?.number),
            difference_atomic: (watchOf(network)?.difference ?? 0n).toString(),
          })),
          payouts: paused ? 'paused' : 'running',
          pause_reason: reason,
          checked_at: isoTime(checkedAt),
        },
      }
    },

    async getAuthorization({ params: { network, payer, nonce } }) {
      const asset = servedNetwork(world.rules, network)?.usdc
      const key = asset && { network, asset, from: payer as Hex, nonce: nonce as Hex }
      const transfer = key && (await world.store.transferByAuthorization(key))
      if (!transfer) refuse('not_found', { resource: 'payment' }, 'No such authorization has ever been taken here.')
      return { body: authorizationView(transfer) }
    },
  }
}

const blockNumber = (block: bigint | undefined): number | null => (block === undefined ? null : Number(block))
