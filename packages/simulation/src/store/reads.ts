import {
  type Authorization,
  type InboxEvent,
  isToBeAnnounced,
  type Movement,
  type Reader,
  type Stray,
  type Transfer,
} from '@guildhall/server/parts'
import type { MovementRow, Tables, View } from './tables.ts'

/** The reads of the actions, on rows in memory. Each is one statement with one snapshot. */
export type SimulatedReads = Pick<
  Reader,
  | 'agent'
  | 'task'
  | 'receipts'
  | 'transfer'
  | 'transferByAuthorization'
  | 'taskOfManageToken'
  | 'youngBonds'
  | 'hasOpenBond'
  | 'unsentWithdrawals'
  | 'bondDebt'
  | 'activeClaims'
  | 'lapsedClaims'
  | 'inbox'
  | 'ledgerHead'
  | 'ledgerEntry'
  | 'seal'
  | 'hasPending'
  | 'isCheckpointDue'
  | 'merkleNodes'
  | 'dueTimers'
  | 'dueTransfers'
  | 'unannouncedTasks'
  | 'dueMessages'
  | 'payoutsPaused'
  | 'queuedPayouts'
  | 'watch'
  | 'watches'
  | 'dueWatches'
  | 'unknownMovements'
  | 'unprovenMovements'
  | 'provenAfter'
  | 'leastHeld'
  | 'firstTransferBlock'
  | 'strays'
>

/** Runs a statement that locks nothing. */
export type Ask = <T>(what: string, act: (view: View) => T) => Promise<T>

export const PAYOUTS: ReadonlySet<string> = new Set(['release', 'refund', 'withdrawal', 'return'])

export const movementKey = (network: string, { txHash, logIndex }: Pick<Movement, 'txHash' | 'logIndex'>): string =>
  `${network} ${txHash} ${logIndex}`

export const signed = ({ incoming, amount }: Movement): bigint => (incoming ? amount : -amount)

export const isUnfinished = ({ state, final }: Transfer): boolean =>
  state === 'intended' || (state === 'settled' && !final)

const isLeased = ({ leaseUntil }: Transfer, now: number): boolean => leaseUntil !== null && leaseUntil > now

export const dueTime = ({ nextAttemptAt, createdAt }: Transfer): number => nextAttemptAt ?? createdAt

export const mayLease = (transfer: Transfer, now: number): boolean => isUnfinished(transfer) && !isLeased(transfer, now)

export const isSameAuthorization = (
  one: Authorization,
  other: Pick<Authorization, 'network' | 'asset' | 'from' | 'nonce'>,
): boolean =>
  one.nonce === other.nonce && one.from === other.from && one.network === other.network && one.asset === other.asset

export const strayOf = (tables: Tables, view: View, row: MovementRow): Stray => {
  const back = row.returnId === null ? null : view.get(tables.transfers, row.returnId)
  const { network, txHash, logIndex, blockNumber, counterparty, amount, seenAt } = row
  return {
    id: row.strayId ?? '',
    network,
    txHash,
    logIndex,
    blockNumber,
    incoming: true,
    counterparty,
    amount,
    seenAt,
    returned: back && { transferId: back.id, state: back.state, txHash: back.txHash },
  }
}

export const isOpenStray = ({ strayId, transferId, coversLoss }: MovementRow): boolean =>
  strayId !== null && transferId === null && !coversLoss

const TIMERS = {
  'claim lapses': { status: 'claimed', column: 'claimExpiresAt' },
  unreviewed: { status: 'submitted', column: 'autoReleaseAt' },
  expires: { status: 'open', column: 'expiresAt' },
} as const

export function readsOf(tables: Tables, ask: Ask): SimulatedReads {
  return {
    agent: (id) => ask('agent', (view) => view.get(tables.agents, id)),
    task: (id) => ask('task', (view) => view.get(tables.tasks, id)),
    receipts: (taskId) =>
      ask('receipts', (view) =>
        [...view.all(tables.receipts)]
          .filter((receipt) => receipt.taskId === taskId)
          .sort((one, other) => other.revision - one.revision),
      ),
    transfer: (id) => ask('transfer', (view) => view.get(tables.transfers, id)),
    transferByAuthorization: (key) =>
      ask('transferByAuthorization', (view) => {
        for (const row of view.all(tables.transfers)) if (isSameAuthorization(row.authorization, key)) return row
        return null
      }),
    taskOfManageToken: (hash) => ask('taskOfManageToken', (view) => view.get(tables.manageTokens, hash)),
    youngBonds: (agentId) =>
      ask('youngBonds', (view) =>
        [...view.all(tables.transfers)].filter(
          ({ agentId: id, purpose, state, final }) =>
            id === agentId && purpose === 'bond' && state === 'settled' && !final,
        ),
      ),
    hasOpenBond: (agentId) =>
      ask('hasOpenBond', (view) => {
        for (const { agentId: id, purpose, state, mature } of view.all(tables.transfers)) {
          const isOpen = state === 'intended' || (state === 'settled' && !mature)
          if (isOpen && id === agentId && (purpose === 'bond' || purpose === 'withdrawal')) return true
        }
        return false
      }),
    unsentWithdrawals: (agentId) =>
      ask('unsentWithdrawals', (view) => {
        const found: string[] = []
        for (const { id, agentId: owner, purpose, state, signature } of view.all(tables.transfers)) {
          const isUnsent = purpose === 'withdrawal' && state === 'intended' && signature === null
          if (isUnsent && owner === agentId) found.push(id)
        }
        return found
      }),
    bondDebt: (agentId, network) =>
      ask('bondDebt', (view) => {
        let debt = 0n
        for (const posting of view.all(tables.postings)) {
          if (posting.agentId !== agentId || posting.network !== network || posting.reason !== 'undone') continue
          if (posting.debit === 'house') debt += posting.amount
          if (posting.credit === 'house') debt -= posting.amount
        }
        return debt
      }),
    activeClaims: (agentId) =>
      ask('activeClaims', (view) => {
        let count = 0
        for (const { claimedBy, status } of view.all(tables.tasks)) {
          if (claimedBy === agentId && status === 'claimed') count++
        }
        return count
      }),
    lapsedClaims: (agentId, now) =>
      ask('lapsedClaims', (view) => {
        const ids: string[] = []
        for (const { id, claimedBy, status, claimExpiresAt } of view.all(tables.tasks)) {
          const isLapsed = status === 'claimed' && claimExpiresAt !== null && claimExpiresAt <= now
          if (claimedBy === agentId && isLapsed) ids.push(id)
        }
        return ids
      }),
    inbox: ({ agentId, after, limit }) =>
      ask('inbox', (view) => {
        const own: InboxEvent[] = []
        for (const event of view.all(tables.events)) {
          if (event.agentId === agentId && event.position > (after ?? 0)) own.push(event)
        }
        own.sort((one, other) => one.position - other.position)
        const { lastPosition = 0, unread = 0 } = view.get(tables.inboxes, agentId) ?? {}
        return { events: own.slice(0, limit), hasMore: own.length > limit, lastPosition, unread }
      }),
    ledgerHead: () =>
      ask('ledgerHead', (view) => {
        const head = view.get(tables.head, 'head')
        return head === null || head.sequence === 0 ? null : head
      }),
    ledgerEntry: (sequence) => ask('ledgerEntry', (view) => view.get(tables.entries, String(sequence))),
    seal: (pendingId) =>
      ask('seal', (view) => {
        for (const { pendingId: id, sequence, entryHash } of view.all(tables.entries)) {
          if (id === pendingId) return { sequence, entryHash }
        }
        return null
      }),
    hasPending: () => ask('hasPending', (view) => !view.all(tables.pending)[Symbol.iterator]().next().done),
    isCheckpointDue: (issuedBy) =>
      ask('isCheckpointDue', (view) => {
        const { sequence = 0 } = view.get(tables.head, 'head') ?? {}
        const last = [...view.all(tables.checkpoints)].at(-1)
        return last !== undefined && sequence > last.sequence && last.issuedAt <= issuedBy
      }),
    merkleNodes: (wanted) =>
      ask('merkleNodes', (view) =>
        wanted.map(({ level, index }) => view.get(tables.nodes, `${level}/${index}`)?.hash ?? ''),
      ),
    dueTimers: (timer, now, limit) =>
      ask('dueTimers', (view) => {
        const { status, column } = TIMERS[timer]
        const due: { id: string; at: number }[] = []
        for (const task of view.all(tables.tasks)) {
          const time = task[column]
          if (task.status !== status || time === null) continue
          const at = Math.max(time, task.timerHeldUntil ?? 0)
          if (at <= now) due.push({ id: task.id, at })
        }
        return first(due, limit)
      }),
    dueTransfers: (now, limit, network) =>
      ask('dueTransfers', (view) => {
        const due: { id: string; at: number }[] = []
        for (const transfer of view.all(tables.transfers)) {
          const isDue = transfer.authorization.network === network && dueTime(transfer) <= now
          if (isDue && mayLease(transfer, now)) due.push({ id: transfer.id, at: dueTime(transfer) })
        }
        return first(due, limit)
      }),
    unannouncedTasks: (limit) =>
      ask('unannouncedTasks', (view) => {
        const found: string[] = []
        for (const task of view.all(tables.tasks)) if (isToBeAnnounced(task)) found.push(task.id)
        return found.slice(0, limit)
      }),
    dueMessages: () => ask('dueMessages', () => []),
    payoutsPaused: () => ask('payoutsPaused', (view) => view.get(tables.switches, 'payouts') ?? UNKNOWN_SWITCH),
    queuedPayouts: () =>
      ask('queuedPayouts', (view) => {
        let [count, atomic] = [0, 0n]
        for (const { state, purpose, authorization } of view.all(tables.transfers)) {
          if (state !== 'intended' || !PAYOUTS.has(purpose)) continue
          count++
          atomic += authorization.value
        }
        return { count, atomic }
      }),
    watch: (network) => ask('watch', (view) => view.get(tables.watches, network)),
    watches: () => ask('watches', (view) => [...view.all(tables.watches)]),
    dueWatches: (networks, wallet, now) =>
      ask('dueWatches', (view) =>
        networks.filter((network) => {
          const watch = view.get(tables.watches, network)
          return watch !== null && watch.wallet === wallet && watch.lookAt <= now
        }),
      ),
    unknownMovements: (network, movements) =>
      ask('unknownMovements', (view) =>
        movements.filter((movement) => {
          const row = view.get(tables.movements, movementKey(network, movement))
          return row === null || (!row.booked && row.transferId === null)
        }),
      ),
    unprovenMovements: (network, movements) =>
      ask('unprovenMovements', (view) =>
        movements.filter((movement) => !view.get(tables.movements, movementKey(network, movement))?.proven),
      ),
    provenAfter: (network, block) =>
      ask('provenAfter', (view) => {
        let net = 0n
        for (const row of view.all(tables.movements))
          if (row.network === network && row.proven && row.blockNumber > block) net += signed(row)
        return net
      }),
    leastHeld: (network, block, exceptTransferId) =>
      ask('leastHeld', (view) => {
        let least = 0n
        for (const posting of view.all(tables.postings)) {
          if (posting.network !== network) continue
          if (posting.debit === 'wallet') least += posting.amount
          if (posting.credit === 'wallet') least -= posting.amount
        }
        for (const row of view.all(tables.movements)) {
          if (row.network === network && row.booked && !row.proven && row.blockNumber > block) least -= signed(row)
        }
        for (const { id, state, purpose, authorization } of view.all(tables.transfers)) {
          const mayHaveLeft = state === 'intended' && PAYOUTS.has(purpose) && authorization.validBefore > 0n
          if (authorization.network === network && mayHaveLeft && id !== exceptTransferId) least -= authorization.value
        }
        return least
      }),
    firstTransferBlock: (network) =>
      ask('firstTransferBlock', (view) => {
        let lowest: bigint | null = null
        for (const { fromBlock, authorization } of view.all(tables.transfers)) {
          if (authorization.network !== network || fromBlock === 0n) continue
          if (lowest === null || fromBlock < lowest) lowest = fromBlock
        }
        return lowest
      }),
    strays: ({ returned, limit }) =>
      ask('strays', (view) => {
        const found: Stray[] = []
        for (const row of view.all(tables.movements)) {
          if (isOpenStray(row) && row.proven && (returned || row.returnId === null))
            found.push(strayOf(tables, view, row))
        }
        return found.reverse().slice(0, limit)
      }),
  }
}

const UNKNOWN_SWITCH = { paused: true, reason: null }

const first = (due: { readonly id: string; readonly at: number }[], limit: number): readonly string[] =>
  due
    .sort((one, other) => one.at - other.at)
    .slice(0, limit)
    .map(({ id }) => id)
