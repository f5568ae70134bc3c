import { isoTime, isoTimeOrNull } from '../domain/instant.ts'
import type { Hex, Transfer, TransferPurpose, TransferState } from '../domain/transfer/transfer.ts'
import { table } from './table.ts'

export type TransferRow = {
  readonly id: string
  readonly purpose: TransferPurpose
  readonly network: string
  readonly asset: Hex
  readonly payer: Hex
  readonly payee: Hex
  readonly amount: bigint
  readonly valid_after: bigint
  readonly valid_before: bigint
  readonly nonce: Hex
  readonly signature: Hex | null
  readonly task_id: string | null
  readonly agent_id: string | null
  readonly deposit_id: string | null
  readonly redirect_to: Hex | null
  readonly state: TransferState
  readonly from_block: bigint
  readonly tx_hash: Hex | null
  readonly block_number: bigint | null
  readonly is_mature: boolean
  readonly is_final: boolean
  readonly attempts: number
  readonly last_error: string | null
  readonly next_attempt_at: number | null
  readonly lease_until: number | null
  readonly fence: number
  readonly created_at: number
  readonly settled_at: number | null
}

/** Addresses and nonces are stored in lower case, so that one authorization has one spelling. */
export const transferTable = table<TransferRow, Transfer>(
  'transfers',
  {
    id: ({ id }) => id,
    purpose: ({ purpose }) => purpose,
    network: ({ authorization }) => authorization.network,
    asset: ({ authorization }) => authorization.asset.toLowerCase(),
    payer: ({ authorization }) => authorization.from.toLowerCase(),
    payee: ({ authorization }) => authorization.to.toLowerCase(),
    amount: ({ authorization }) => authorization.value,
    valid_after: ({ authorization }) => authorization.validAfter,
    valid_before: ({ authorization }) => authorization.validBefore,
    nonce: ({ authorization }) => authorization.nonce.toLowerCase(),
    signature: ({ signature }) => signature,
    task_id: ({ taskId }) => taskId,
    agent_id: ({ agentId }) => agentId,
    deposit_id: ({ depositId }) => depositId,
    redirect_to: ({ redirectTo }) => redirectTo?.toLowerCase() ?? null,
    state: ({ state }) => state,
    from_block: ({ fromBlock }) => fromBlock,
    tx_hash: ({ txHash }) => txHash,
    block_number: ({ blockNumber }) => blockNumber,
    is_mature: ({ mature }) => mature,
    is_final: ({ final }) => final,
    attempts: ({ attempts }) => attempts,
    last_error: ({ lastError }) => lastError,
    next_attempt_at: ({ nextAttemptAt }) => isoTimeOrNull(nextAttemptAt),
    lease_until: ({ leaseUntil }) => isoTimeOrNull(leaseUntil),
    fence: ({ fence }) => fence,
    created_at: ({ createdAt }) => isoTime(createdAt),
    settled_at: ({ settledAt }) => isoTimeOrNull(settledAt),
  },
  (row) => ({
    id: row.id,
    purpose: row.purpose,
    authorization: {
      network: row.network,
      asset: row.asset,
      from: row.payer,
      to: row.payee,
      value: row.amount,
      validAfter: row.valid_after,
      validBefore: row.valid_before,
      nonce: row.nonce,
    },
    signature: row.signature,
    taskId: row.task_id,
    agentId: row.agent_id,
    depositId: row.deposit_id,
    redirectTo: row.redirect_to,
    state: row.state,
    fromBlock: row.from_block,
    txHash: row.tx_hash,
    blockNumber: row.block_number,
    // Rows that were final before is_mature existed are mature, too.
    mature: row.is_mature || row.is_final,
    final: row.is_final,
    attempts: row.attempts,
    lastError: row.last_error,
    nextAttemptAt: row.next_attempt_at,
    leaseUntil: row.lease_until,
    fence: row.fence,
    createdAt: row.created_at,
    settledAt: row.settled_at,
  }),
)
