/** The tables as stored, read with our own SQL: times in milliseconds, money as bigint, hashes as hex. */
export type TaskRow = {
  readonly id: string
  readonly status: string
  readonly creator_kind: string
  readonly creator_id: string
  readonly category: string | null
  readonly required_capabilities: readonly string[]
  readonly expires_in_days: number | null
  readonly created_at: number
  readonly expires_at: number | null
  readonly expired_at: number | null
  readonly cancelled_at: number | null
  readonly claimed_by: string | null
  readonly claimed_at: number | null
  readonly claim_expires_at: number | null
  readonly first_submitted_at: number | null
  readonly submitted_at: number | null
  readonly auto_release_at: number | null
  readonly receipts_count: number
  readonly review_state: string | null
  readonly revision_count: number
  readonly revision_requested_at: number | null
  readonly disputed_at: number | null
  readonly accepted_by: string | null
  readonly verified_at: number | null
  readonly rating_stars: number | null
  readonly bounty_amount: bigint | null
  readonly bounty_network: string | null
  readonly escrow_status: string | null
  readonly escrow_wallet: string | null
  readonly escrow_payer: string | null
  readonly escrow_deposit_id: string | null
  readonly escrow_deposit_tx: string | null
  readonly escrow_exit_id: string | null
  readonly escrow_release_tx: string | null
  readonly escrow_refund_tx: string | null
  readonly payment_status: string
  readonly pay_to: string | null
  readonly payment_id: string | null
  readonly payment_tx: string | null
  readonly settled_at: number | null
  readonly timer_held_until: number | null
}

export type TransferRow = {
  readonly id: string
  readonly purpose: string
  readonly network: string
  readonly asset: string
  readonly payer: string
  readonly payee: string
  readonly amount: bigint
  readonly nonce: string
  readonly task_id: string | null
  readonly agent_id: string | null
  readonly deposit_id: string | null
  readonly state: string
  readonly from_block: bigint
  readonly tx_hash: string | null
  readonly block_number: bigint | null
}

export type PostingRow = {
  readonly id: string
  readonly network: string
  readonly debit: string
  readonly credit: string
  readonly amount: bigint
  readonly reason: string
  readonly transfer_id: string | null
  readonly task_id: string | null
  readonly agent_id: string | null
}

export type MovementRow = {
  readonly network: string
  readonly tx_hash: string
  readonly log_index: number
  readonly block_number: bigint
  readonly incoming: boolean
  readonly counterparty: string
  readonly amount: bigint
  readonly transfer_id: string | null
  readonly booked: boolean
  readonly proven: boolean
  readonly stray_id: string | null
  readonly return_id: string | null
  readonly covers_loss: boolean
}

export type WatchRow = {
  readonly network: string
  /** Movements up to this block happened before the watch began. */
  readonly first_block: bigint | null
  readonly block: bigint | null
  readonly balance: bigint | null
}

export type AgentRow = {
  readonly id: string
  readonly status: string
  readonly bond_balance: bigint
  readonly bond_network: string | null
  readonly delivered: number
  readonly accepted: number
  readonly disputed: number
  readonly accepted_by_person: number
  readonly expired_claims: number
  readonly lost_disputes: number
  readonly rating_count: number
  readonly rating_sum: number
}

export type InboxRow = { readonly agent_id: string; readonly last_position: bigint; readonly unread: bigint }

export type EventRow = {
  readonly agent_id: string
  readonly position: bigint
  readonly type: string
  readonly ref_id: string
  readonly created_at: number
  readonly read_at: number | null
}

export type PaymentEventRow = {
  readonly task_id: string
  readonly type: string
  readonly details: Readonly<Record<string, unknown>>
}

export type ReceiptRow = {
  readonly id: string
  readonly task_id: string
  readonly agent_id: string
  readonly submission_id: string
  readonly type: string
  readonly payload_hash: string
  readonly revision: number
  readonly completed_at: number
  readonly signature: string
  readonly signed_timestamp: bigint
  readonly signed_nonce: string | null
  readonly body_hash: string
  readonly public_key_hex: string
  readonly chain_sequence: bigint | null
  readonly chain_entry_hash: string | null
  readonly summary: string
  readonly content: string | null
  readonly artifact_urls: readonly string[] | null
  readonly commit_hash: string | null
  readonly pr_url: string | null
  readonly salt: string
}

export type EntryRow = {
  readonly sequence: bigint
  readonly type: string
  readonly agent_id: string | null
  readonly public_key: string | null
  readonly profile_hash: string
  readonly previous_hash: string
  readonly entry_hash: string
  readonly sealed_at: number
}

export type PendingRow = Pick<EntryRow, 'type' | 'agent_id' | 'profile_hash'>

export type HeadRow = Pick<EntryRow, 'sequence' | 'entry_hash'>

export type NodeRow = { readonly level: number; readonly index: bigint; readonly hash: string }

export type CheckpointRow = {
  readonly sequence: bigint
  readonly entry_hash: string
  readonly tree_size: bigint
  readonly root_hash: string
  readonly issued_at: number
  readonly signature: string
}

export type TallyRow = { readonly topic: string; readonly item: string; readonly amount: bigint }

export type CapabilityRow = {
  readonly task_id: string
  readonly capability: string
  readonly status: string
  readonly category: string | null
  readonly bounty_amount: bigint | null
  readonly created_at: number
}
