import type { Books } from '@guildhall/oracle'
import type { Tables } from '../store/tables.ts'

/** The tables in memory as the oracle would read them from the database. */
export function booksOf(tables: Tables): Books {
  const list = <Row>(table: Map<string, Row>): Row[] => [...table.values()]
  const tasks = list(tables.tasks).map(taskRow)
  return {
    tasks,
    capabilities: tasks.flatMap((task) =>
      task.required_capabilities.map((capability) => {
        const { id: task_id, status, category, bounty_amount, created_at } = task
        return { task_id, capability, status, category, bounty_amount, created_at }
      }),
    ),
    transfers: list(tables.transfers).map(transferRow),
    postings: list(tables.postings).map((posting) => ({
      ...posting,
      transfer_id: posting.transferId,
      task_id: posting.taskId,
      agent_id: posting.agentId,
    })),
    movements: list(tables.movements).map((row) => ({
      network: row.network,
      tx_hash: row.txHash,
      log_index: row.logIndex,
      block_number: row.blockNumber,
      incoming: row.incoming,
      counterparty: row.counterparty,
      amount: row.amount,
      transfer_id: row.transferId,
      booked: row.booked,
      proven: row.proven,
      stray_id: row.strayId,
      return_id: row.returnId,
      covers_loss: row.coversLoss,
    })),
    watches: list(tables.watches).map(({ network, firstBlock, proven }) => ({
      network,
      first_block: firstBlock,
      block: proven?.number ?? null,
      balance: proven?.balance ?? null,
    })),
    agents: list(tables.agents).map(agentRow),
    inboxes: list(tables.inboxes).map(({ agentId, lastPosition, unread }) => ({
      agent_id: agentId,
      last_position: BigInt(lastPosition),
      unread: BigInt(unread),
    })),
    events: list(tables.events)
      .map(({ agentId, position, type, refId, createdAt, readAt }) => ({
        agent_id: agentId,
        position: BigInt(position),
        type,
        ref_id: refId,
        created_at: createdAt,
        read_at: readAt,
      }))
      .sort((one, other) => (one.agent_id === other.agent_id ? Number(one.position - other.position) : 0)),
    paymentEvents: list(tables.paymentEvents).map(({ taskId, type, details }) => ({ task_id: taskId, type, details })),
    receipts: receiptRows(tables),
    entries: list(tables.entries)
      .map((entry) => ({
        sequence: BigInt(entry.sequence),
        type: entry.type,
        agent_id: entry.agentId,
        public_key: entry.publicKey,
        profile_hash: entry.profileHash,
        previous_hash: entry.previousHash,
        entry_hash: entry.entryHash,
        sealed_at: entry.timestamp,
      }))
      .sort((one, other) => Number(one.sequence - other.sequence)),
    pending: list(tables.pending).map(({ type, agentId, profileHash }) => ({
      type,
      agent_id: agentId,
      profile_hash: profileHash,
    })),
    head: list(tables.head).map(({ sequence, entryHash }) => ({ sequence: BigInt(sequence), entry_hash: entryHash })),
    nodes: list(tables.nodes).map(({ level, index, hash }) => ({ level, index: BigInt(index), hash })),
    checkpoints: [],
    tallies: talliesOf(tables),
    receiptsOnRecord: [{ count: BigInt(tables.receipts.size) }],
    submissionsOnRecord: [{ count: BigInt(tables.submissions.size) }],
  }
}

type Row<Name extends keyof Books> = Books[Name][number]
type Rows<Name extends keyof Tables> = Tables[Name] extends Map<string, infer One> ? One : never

const taskRow = (task: Rows<'tasks'>): Row<'tasks'> => ({
  id: task.id,
  status: task.status,
  creator_kind: task.creator.kind,
  creator_id: task.creator.id,
  category: task.category,
  required_capabilities: task.requiredCapabilities,
  expires_in_days: task.expiresInDays,
  created_at: task.createdAt,
  expires_at: task.expiresAt,
  expired_at: task.expiredAt,
  cancelled_at: task.cancelledAt,
  claimed_by: task.claimedBy,
  claimed_at: task.claimedAt,
  claim_expires_at: task.claimExpiresAt,
  first_submitted_at: task.firstSubmittedAt,
  submitted_at: task.submittedAt,
  auto_release_at: task.autoReleaseAt,
  receipts_count: task.receiptsCount,
  review_state: task.reviewState,
  revision_count: task.revisionCount,
  revision_requested_at: task.revisionRequestedAt,
  disputed_at: task.disputedAt,
  accepted_by: task.acceptedBy,
  verified_at: task.verifiedAt,
  rating_stars: task.rating?.stars ?? null,
  bounty_amount: task.bounty?.amount ?? null,
  bounty_network: task.bounty?.network ?? null,
  escrow_status: task.escrow?.status ?? null,
  escrow_wallet: task.escrow?.wallet ?? null,
  escrow_payer: task.escrow?.payer ?? null,
  escrow_deposit_id: task.escrow?.depositId ?? null,
  escrow_deposit_tx: task.escrow?.depositTx ?? null,
  escrow_exit_id: task.escrow?.exitId ?? null,
  escrow_release_tx: task.escrow?.releaseTx ?? null,
  escrow_refund_tx: task.escrow?.refundTx ?? null,
  payment_status: task.paymentStatus,
  pay_to: task.payTo,
  payment_id: task.paymentId,
  payment_tx: task.paymentTx,
  settled_at: task.settledAt,
  timer_held_until: task.timerHeldUntil,
})

const transferRow = (transfer: Rows<'transfers'>): Row<'transfers'> => ({
  id: transfer.id,
  purpose: transfer.purpose,
  network: transfer.authorization.network,
  asset: transfer.authorization.asset,
  payer: transfer.authorization.from,
  payee: transfer.authorization.to,
  amount: transfer.authorization.value,
  nonce: transfer.authorization.nonce,
  task_id: transfer.taskId,
  agent_id: transfer.agentId,
  deposit_id: transfer.depositId,
  state: transfer.state,
  from_block: transfer.fromBlock,
  tx_hash: transfer.txHash,
  block_number: transfer.blockNumber,
})

const agentRow = ({ id, status, bondBalance, bondNetwork, track }: Rows<'agents'>): Row<'agents'> => ({
  id,
  status,
  bond_balance: bondBalance,
  bond_network: bondNetwork,
  delivered: track.delivered,
  accepted: track.accepted,
  disputed: track.disputed,
  accepted_by_person: track.acceptedByPerson,
  expired_claims: track.expiredClaims,
  lost_disputes: track.lostDisputes,
  rating_count: track.ratingCount,
  rating_sum: track.ratingSum,
})

const receiptRows = ({ receipts, submissions }: Tables): Row<'receipts'>[] =>
  [...receipts.values()]
    .flatMap((receipt) => {
      const submission = submissions.get(receipt.submissionId)
      if (!submission) return []
      return {
        id: receipt.id,
        task_id: receipt.taskId,
        agent_id: receipt.agentId,
        submission_id: receipt.submissionId,
        type: receipt.type,
        payload_hash: receipt.payloadHash,
        revision: receipt.revision,
        completed_at: receipt.completedAt,
        signature: receipt.signed.signature,
        signed_timestamp: BigInt(receipt.signed.timestamp),
        signed_nonce: receipt.signed.nonce,
        body_hash: receipt.signed.bodyHash,
        public_key_hex: receipt.signed.publicKeyHex,
        chain_sequence: receipt.chainSequence === null ? null : BigInt(receipt.chainSequence),
        chain_entry_hash: receipt.chainEntryHash,
        summary: submission.summary,
        content: submission.content,
        artifact_urls: submission.artifactUrls,
        commit_hash: submission.commitHash,
        pr_url: submission.prUrl,
        salt: submission.salt,
      }
    })
    .sort((one, other) => one.revision - other.revision)

/** The database maintains these; here they are computed, so that only the rows themselves are judged. */
function talliesOf({ agents, tasks, postings }: Tables): Row<'tallies'>[] {
  const sums = new Map<string, bigint>()
  const add = (topic: string, item: string, by: bigint) => {
    sums.set(`${topic}/${item}`, (sums.get(`${topic}/${item}`) ?? 0n) + by)
  }
  for (const { status } of agents.values()) {
    add('agents', 'total', 1n)
    add('agents', status, 1n)
  }
  for (const { status, paymentStatus, paymentTx, bounty } of tasks.values()) {
    add('tasks', status, 1n)
    if (paymentStatus !== 'settled' || paymentTx === null) continue
    add('paid', 'count', 1n)
    add('paid', 'atomic', bounty?.amount ?? 0n)
  }
  for (const { network, debit, credit, amount } of postings.values()) {
    add('balance', `${network} ${debit}`, debit === 'wallet' ? amount : -amount)
    add('balance', `${network} ${credit}`, credit === 'wallet' ? -amount : amount)
  }
  return [...sums].map(([key, amount]) => {
    const place = key.indexOf('/')
    return { topic: key.slice(0, place), item: key.slice(place + 1), amount }
  })
}
