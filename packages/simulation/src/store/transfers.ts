import type { Authorization, Reader, Transaction, Transfer } from '@guildhall/server/parts'
import { earliest } from './earliest.ts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

export const isUnfinished = ({ state, final }: Transfer): boolean =>
  state === 'intended' || (state === 'settled' && !final)

const isLeased = ({ leaseUntil }: Transfer, now: number): boolean => leaseUntil !== null && leaseUntil > now

export const dueTime = ({ nextAttemptAt, createdAt }: Transfer): number => nextAttemptAt ?? createdAt

const mayLease = (transfer: Transfer, now: number): boolean => isUnfinished(transfer) && !isLeased(transfer, now)

const isSameAuthorization = (
  one: Authorization,
  other: Pick<Authorization, 'network' | 'asset' | 'from' | 'nonce'>,
): boolean =>
  one.nonce === other.nonce && one.from === other.from && one.network === other.network && one.asset === other.asset

export const transferReads = (tables: Tables, ask: Ask) =>
  ({
    transfer: (id) => ask('transfer', (view) => view.get(tables.transfers, id)),
    transferByAuthorization: (key) =>
      ask('transferByAuthorization', (view) => {
        for (const row of view.all(tables.transfers)) if (isSameAuthorization(row.authorization, key)) return row
        return null
      }),
    dueTransfers: (now, limit, network) =>
      ask('dueTransfers', (view) => {
        const due: { id: string; at: number }[] = []
        for (const transfer of view.all(tables.transfers)) {
          const isDue = transfer.authorization.network === network && dueTime(transfer) <= now
          if (isDue && mayLease(transfer, now)) due.push({ id: transfer.id, at: dueTime(transfer) })
        }
        return earliest(due, limit)
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
  }) satisfies Partial<Reader>

export const transferWrites = (tables: Tables, { change }: Statements) =>
  ({
    insertTransfer(transfer) {
      const { authorization, depositId } = transfer
      const keys = [`authorization ${authorization.network} ${authorization.from} ${authorization.nonce}`]
      if (depositId !== null) keys.push(`exit ${depositId}`)
      return change('insertTransfer', keys, (own) => {
        for (const other of own.all(tables.transfers)) {
          const isSame = isSameAuthorization(other.authorization, authorization)
          if (isSame || (depositId !== null && other.depositId === depositId)) return false
        }
        own.put(tables.transfers, transfer.id, transfer)
        return true
      })
    },
    lockTransfer: (id) => change('lockTransfer', [`transfer ${id}`], (own) => own.get(tables.transfers, id)),
    saveTransfer: (transfer) =>
      change('saveTransfer', [`transfer ${transfer.id}`], (own) => {
        const before = own.get(tables.transfers, transfer.id)
        if (before === null || before.fence !== transfer.fence) {
          throw new Error(`Transfer ${transfer.id} has been leased again; this outcome is stale.`)
        }
        own.put(tables.transfers, transfer.id, savedOver(before, transfer))
      }),
    leaseTransfer: (id, now, until) =>
      change('leaseTransfer', [`transfer ${id}`], (own) => {
        const free = own.get(tables.transfers, id)
        if (free === null || !mayLease(free, now)) return null
        const attempts = free.attempts + (free.state === 'intended' ? 1 : 0)
        const leased = { ...free, leaseUntil: until, fence: free.fence + 1, attempts }
        own.put(tables.transfers, id, leased)
        return leased
      }),
    renewLease: ({ id, fence }, until) =>
      change('renewLease', [`transfer ${id}`], (own) => {
        const held = own.get(tables.transfers, id)
        if (held?.fence !== fence || held.leaseUntil === null) return false
        own.put(tables.transfers, id, { ...held, leaseUntil: until })
        return true
      }),
  }) satisfies Partial<Transaction>

/** What others signed never changes; a payout's own validity is renewed with its signature, and it goes to where it was redirected. */
export const savedOver = (before: Transfer, { authorization, ...after }: Transfer): Transfer => {
  const { validAfter, validBefore } = authorization
  const { purpose, taskId, agentId, depositId, createdAt, redirectTo } = before
  const to = authorization.to === redirectTo ? redirectTo : before.authorization.to
  const kept = { purpose, taskId, agentId, depositId, createdAt }
  return { ...after, ...kept, authorization: { ...before.authorization, to, validAfter, validBefore } }
}
