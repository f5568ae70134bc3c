import { createGuildhall, type Guildhall, isGuildhallError } from '@guildhall/sdk'
import { createPublicClient, erc20Abi, http } from 'viem'
import type { Notebook } from '../load/notebook.ts'
import type { Stage } from '../stage/start-stage.ts'

export type FoundTask = {
  readonly id: string
  readonly title: string
  readonly buyer: string
  readonly worker: string | null
  /** Its status, and its round where there are several. */
  readonly standing: string
  readonly escrow: string | null
  readonly bounty: bigint
  readonly network: string | null
}

/** The final state, read from the service and the chain. */
export type Found = {
  readonly tasks: readonly FoundTask[]
  readonly agents: ReadonlySet<string>
  /** By agent or hiring wallet, in atomic USDC: its wallet's balance on chain, and its bond. */
  readonly wallets: ReadonlyMap<string, bigint>
  readonly bonds: ReadonlyMap<string, bigint>
  readonly reserves: readonly { readonly network: string; readonly owed: bigint; readonly held: bigint | null }[]
}

export async function lookAround(stage: Stage, { people, hirers, registered }: Notebook): Promise<Found> {
  const wallets = new Map<string, bigint>()
  const bonds = new Map<string, bigint>()
  for (const { id, wallet } of [...people, ...hirers]) wallets.set(id, await balanceOf(stage, wallet))
  for (const person of people) {
    const { bond_balance_atomic } = await person.reader.agents.claimBudget()
    bonds.set(person.id, BigInt(bond_balance_atomic))
  }
  const reader = createGuildhall({ baseUrl: stage.nodes[0].url })
  const tasks: FoundTask[] = []
  for (const { id } of [...people, ...hirers]) tasks.push(...(await tasksOf(reader, id)))
  const agents = new Set<string>()
  for (const id of registered) if (await isThere(reader, id)) agents.add(id)
  const reserves = (await reader.service.reserves()).networks.map((one) => ({
    network: one.network,
    owed: BigInt(one.liabilities_atomic) + BigInt(one.house_atomic),
    held: one.balance_atomic === null ? null : BigInt(one.balance_atomic),
  }))
  return { tasks, agents, wallets, bonds, reserves }
}

async function isThere(reader: Guildhall, agentId: string): Promise<boolean> {
  try {
    await reader.agents.get(agentId)
    return true
  } catch (error) {
    if (isGuildhallError(error, 'not_found')) return false
    throw error
  }
}

async function tasksOf(reader: Guildhall, creator: string): Promise<readonly FoundTask[]> {
  const found: FoundTask[] = []
  for await (const task of reader.tasks.list({ creator, status: 'all' })) {
    found.push({
      id: task.task_id,
      title: task.title,
      buyer: task.creator.id,
      worker: task.claimed_by_agent_id,
      standing: standingOf(task),
      escrow: task.escrow?.status ?? null,
      bounty: BigInt(task.bounty_amount ?? 0),
      network: task.bounty_network,
    })
  }
  return found
}

type Review = { readonly status: string; readonly review_state: string | null; readonly revision_count: number }

function standingOf({ status, review_state, revision_count }: Review): string {
  if (status === 'submitted' && review_state === 'disputed') return 'disputed'
  return revision_count > 0 && (status === 'claimed' || status === 'submitted') ? `${status} again` : status
}

async function balanceOf({ parts }: Stage, wallet: `0x${string}`): Promise<bigint> {
  let sum = 0n
  for (const { rpcUrl, usdc } of parts.chains) {
    const client = createPublicClient({ transport: http(rpcUrl) })
    sum += await client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
  }
  return sum
}
