import { SECOND } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { refuse } from '../domain/refusal.ts'
import type { Balance } from '../ports/store.ts'
import type { World } from '../ports/world.ts'

type NetworkReserves = {
  readonly network: string
  readonly liabilities: bigint
  readonly house: bigint
  /** Null while the chain cannot be reached. */
  readonly held: { readonly atomic: bigint; readonly block: bigint } | null
}

export type Reserves = { readonly networks: readonly NetworkReserves[]; readonly checkedAt: Instant }

/** The chain is asked again after this time, or earlier when the books have changed: but never more often than that. */
const KEPT_MS = 2 * SECOND
const LEAST_MS = SECOND / 4

/** Many may ask at once: they share one look at the chains, so that nobody can wear the nodes out with it. */
export function createReserves(world: World) {
  let last: { readonly books: string; readonly at: number; readonly look: Promise<Reserves> } | null = null

  return async (): Promise<Reserves> => {
    const balances = await world.store.balances()
    const books = JSON.stringify(balances.map(({ network, account, atomic }) => [network, account, String(atomic)]))
    const now = performance.now()
    const isKept = last !== null && now - last.at < (last.books === books ? KEPT_MS : LEAST_MS)
    if (last === null || !isKept) last = { books, at: now, look: look(world, balances) }
    return last.look
  }
}

async function look(world: World, balances: readonly Balance[]): Promise<Reserves> {
  const { escrow, rules, chain, clock } = world
  if (!escrow) refuse('escrow_unavailable')
  const owed = (network: string, accounts: readonly Balance['account'][]) =>
    balances
      .filter((balance) => balance.network === network && accounts.includes(balance.account))
      .reduce((sum, { atomic }) => sum + atomic, 0n)
  const networks = await Promise.all(
    rules.networks.map(async ({ network }) => {
      const held = await chain.balanceOf(network, escrow.address)
      return {
        network,
        liabilities: owed(network, ['deposits', 'bonds', 'suspense']),
        house: owed(network, ['house']),
        held: held.kind === 'balance' ? held : null,
      }
    }),
  )
  return { networks, checkedAt: clock.now() }
}
