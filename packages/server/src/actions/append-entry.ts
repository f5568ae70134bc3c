import type { EntryType } from '@guildhall/protocol'
import type { Agent } from '../domain/agent/agent.ts'
import type { Transaction } from '../ports/store.ts'
import type { World } from '../ports/world.ts'
import { newId } from './new-id.ts'

type Committed = {
  readonly type: EntryType
  readonly agent: Agent | null
  readonly profileHash: string
  readonly receiptId?: string
}

/** Writes what the ledger will say, in the transaction of the change; gives the id under which its seal is found. */
export async function appendEntry(
  world: World,
  tx: Transaction,
  { type, agent, profileHash, receiptId }: Committed,
): Promise<string> {
  const id = newId(world, 'led')
  await tx.appendPending({
    id,
    type,
    agentId: agent?.id ?? null,
    agentName: agent?.profile.name ?? null,
    publicKey: agent?.publicKey ?? null,
    profileHash,
    receiptId: receiptId ?? null,
  })
  return id
}
