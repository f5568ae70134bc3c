import { SECOND } from '@guildhall/protocol'
import type { Instant } from '../../domain/instant.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Balance } from '../../ports/journal-store.ts'
import { pause } from '../../ports/timer.ts'
import type { World } from '../../ports/world.ts'

type NetworkReserves = {
  readonly network: string
  readonly liabilities: bigint
  readonly house: bigint
  /** Null while the chain cannot be reached. */
  readonly held: { readonly atomic: bigint; readonly block: bigint } | null
}

export type Reserves = { readonly networks: readonly NetworkReserves[]; readonly checkedAt: Instant }

/** The chains are read again after KEPT_MS, or earlier when the books have changed, but at most once per LEAST_MS. */
const KEPT_MS = 2 * SECOND
const LEAST_MS = SECOND / 4

type Look = { readonly books: string; readonly began: number; readonly at: Instant; readonly found: Promise<Reserves> }

/** Concurrent callers share one read of the chains, so that nobody can overload the nodes with it. */
export function createReserves(world: World) {
  let last: Look | null = null

  return async function readReserves(): Promise<Reserves> {
    const balances = await world.store.balances()
    const books = JSON.stringify(balances.map(({ network, account, atomic }) => [network, account, String(atomic)]))
    const age = last === null ? KEPT_MS : world.timer.elapsed() - last.began
    const isKept = age < KEPT_MS && Math.abs(world.clock.now() - (last?.at ?? 0)) < KEPT_MS
    if (last?.books === books && isKept) return last.found
    if (age < LEAST_MS) return pause(world.timer, LEAST_MS - age).then(readReserves)
    last = { books, began: world.timer.elapsed(), at: world.clock.now(), found: look(world, balances) }
    return last.found
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
