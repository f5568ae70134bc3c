import { isPayout, type Reader, type Transaction, type Transfer } from '@guildhall/server/parts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

const SWITCH = 'switch payouts'
const UNKNOWN = { paused: true, reason: null }

export const payoutReads = (tables: Tables, ask: Ask) =>
  ({
    payoutsPaused: () => ask('payoutsPaused', (view) => view.get(tables.switches, 'payouts') ?? UNKNOWN),
    queuedPayouts: () =>
      ask('queuedPayouts', (view) => {
        let [count, atomic] = [0, 0n]
        for (const { state, purpose, authorization } of view.all(tables.transfers)) {
          if (state !== 'intended' || !isPayout(purpose)) continue
          count++
          atomic += authorization.value
        }
        return { count, atomic }
      }),
  }) satisfies Partial<Reader>

export const payoutWrites = (tables: Tables, { change }: Statements) =>
  ({
    pausePayouts: (paused, reason) =>
      change('pausePayouts', [SWITCH], (own) => own.put(tables.switches, 'payouts', { paused, reason })),
    lockPayouts: () => change('lockPayouts', [SWITCH], (own) => own.get(tables.switches, 'payouts') ?? UNKNOWN),
    atomicPaidOut: (validAfterSecond, exceptTransferId) =>
      change('atomicPaidOut', [], (own) => {
        let sum = 0n
        for (const { id, purpose, authorization } of own.all(tables.transfers)) {
          const isAlive = isPayout(purpose) && authorization.validBefore > validAfterSecond
          if (isAlive && id !== exceptTransferId) sum += authorization.value
        }
        return sum
      }),
    async hastenPayouts(now) {
      const isQueued = ({ state, purpose }: Transfer) => state === 'intended' && isPayout(purpose)
      const ids = [...tables.transfers.values()].filter(isQueued).map(({ id }) => id)
      const keys = ids.map((id) => `transfer ${id}`)
      return change('hastenPayouts', keys, (own) => {
        const queued = ids.flatMap((id) => own.get(tables.transfers, id) ?? []).filter(isQueued)
        for (const transfer of queued) own.put(tables.transfers, transfer.id, { ...transfer, nextAttemptAt: now })
        return queued.length
      })
    },
  }) satisfies Partial<Transaction>
