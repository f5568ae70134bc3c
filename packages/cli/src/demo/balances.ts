import { formatUsdc } from '@guildhall/protocol'
import { type Address, erc20Abi } from 'viem'
import type { Cast } from './register-agents.ts'
import type { Stage } from './stage.ts'
import { bountyAtomic } from './the-task.ts'

export type Balances = { readonly buyer: bigint; readonly escrow: bigint; readonly worker: bigint }

/** The balances of the three wallets, read from the chain. */
export async function readBalances({ chain, usdc, escrow }: Stage, { buyer, worker }: Cast): Promise<Balances> {
  const balanceOf = (holder: Address) =>
    chain.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
  const [buyerHolds, escrowHolds, workerHolds] = await Promise.all([
    balanceOf(buyer.wallet.address),
    balanceOf(escrow),
    balanceOf(worker.wallet.address),
  ])
  return { buyer: buyerHolds, escrow: escrowHolds, worker: workerHolds }
}

type Moments = { readonly before: Balances; readonly held: Balances; readonly after: Balances }

/** The escrow wallet may hold other deposits, so only the two fresh wallets are checked to the last unit. */
export function tellBalances({ narrator }: Stage, { before, held, after }: Moments): void {
  narrator.step('Where the money is, read from the chain (USDC)')
  const row = (name: string, cells: readonly string[]) =>
    narrator.say(name.padEnd(9) + cells.map((cell) => cell.padStart(12)).join(''))
  row('', ['before', 'in escrow', 'after'])
  for (const holder of ['buyer', 'escrow', 'worker'] as const)
    row(
      holder,
      [before, held, after].map((moment) => formatUsdc(moment[holder])),
    )
  const paid = before.buyer - bountyAtomic
  narrator.check(held.buyer === paid && after.buyer === paid, 'the buyer paid the bounty, once')
  narrator.check(
    held.worker === 0n && after.worker === bountyAtomic,
    'the worker had nothing before, and all of it after',
  )
}
