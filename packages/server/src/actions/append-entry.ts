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
  /** A fixed id for an entry that can exist only once, so that its seal can be found again. */
  readonly id?: string
}

/** Writes the pending ledger entry in the transaction of the change; returns the id by which its seal is found. */
export async function appendEntry(
  world: Pick<World, 'clock' | 'random'>,
  tx: Transaction,
  { type, agent, profileHash, receiptId, id = newId(world, 'led') }: Committed,
): Promise<string> {
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

/** The acceptance of a task, and the settlement of a transfer, are appended once. */
export const acceptanceEntryId = (taskId: string): string => `verified ${taskId}`
export const settlementEntryId = (transferId: string): string => `settled ${transferId}`
