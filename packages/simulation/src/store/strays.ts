import type { CustodyWrites, Reader, Stray } from '@guildhall/server/parts'
import { keysWhere, lockOf, movementKey, newRow } from './movements.ts'
import type { View } from './overlay.ts'
import type { Ask, Statements } from './statements.ts'
import type { MovementRow, Tables } from './tables.ts'

export const strayReads = (tables: Tables, ask: Ask) =>
  ({
    strays: ({ returned, limit }) =>
      ask('strays', (view) => {
        const found: Stray[] = []
        for (const row of view.all(tables.movements)) {
          if (isOpenStray(row) && row.proven && (returned || row.returnId === null))
            found.push(strayOf(tables, view, row))
        }
        return found.reverse().slice(0, limit)
      }),
  }) satisfies Partial<Reader>

export function strayWrites(tables: Tables, { change }: Statements) {
  const { movements } = tables

  const updateStray = (strayId: string, update: Partial<MovementRow>) => {
    const keys = keysWhere(tables, (row) => row.strayId === strayId)
    return change('updateStray', keys.map(lockOf), (own) => {
      for (const key of keys) {
        const row = own.get(movements, key)
        if (row) own.put(movements, key, { ...row, ...update })
      }
    })
  }

  return {
    bookStray(network, movement, strayId, at) {
      const key = movementKey(network, movement)
      return change('bookStray', [lockOf(key)], (own) => {
        const row = own.get(movements, key)
        if (row !== null && (!row.incoming || row.booked || row.transferId !== null)) {
          throw new Error(`The movement ${key} is booked already.`)
        }
        const fresh = row ?? { ...newRow(network, movement, at), proven: true }
        own.put(movements, key, { ...fresh, booked: true, strayId })
      })
    },
    lockStray(strayId) {
      const keys = keysWhere(tables, (row) => row.strayId === strayId)
      return change('lockStray', keys.map(lockOf), (own) => {
        const row = keys[0] === undefined ? null : own.get(movements, keys[0])
        return row?.proven && isOpenStray(row) ? strayOf(tables, own, row) : null
      })
    },
    lockStrayAt: (network, place) =>
      change('lockStrayAt', [lockOf(movementKey(network, place))], (own) => {
        const row = own.get(movements, movementKey(network, place))
        return row !== null && isOpenStray(row) ? strayOf(tables, own, row) : null
      }),
    lockUnprovenStrays(network, upToBlock) {
      const isGone = (row: MovementRow) =>
        row.network === network &&
        !row.proven &&
        row.blockNumber <= upToBlock &&
        isOpenStray(row) &&
        row.returnId === null
      const keys = keysWhere(tables, isGone)
      return change('lockUnprovenStrays', keys.map(lockOf).sort(), (own) =>
        keys.flatMap((key) => {
          const row = own.get(movements, key)
          return row !== null && isGone(row) ? [strayOf(tables, own, row)] : []
        }),
      )
    },
    forgetStray(strayId) {
      const keys = keysWhere(tables, (row) => row.strayId === strayId)
      return change('forgetStray', keys.map(lockOf), (own) => {
        for (const key of keys) own.remove(movements, key)
      })
    },
    reduceStray(strayId, by) {
      const keys = keysWhere(tables, (row) => row.strayId === strayId)
      return change('reduceStray', keys.map(lockOf), (own) => {
        for (const key of keys) {
          const row = own.get(movements, key)
          if (row) own.put(movements, key, { ...row, amount: row.amount - by })
        }
      })
    },
    explainStray: (strayId, transferId) => updateStray(strayId, { transferId }),
    returnStray: (strayId, transferId) => updateStray(strayId, { returnId: transferId }),
    coverLoss: (strayId) => updateStray(strayId, { coversLoss: true }),
  } satisfies Partial<CustodyWrites>
}

const strayOf = (tables: Tables, view: View, row: MovementRow): Stray => {
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

const isOpenStray = ({ strayId, transferId, coversLoss }: MovementRow): boolean =>
  strayId !== null && transferId === null && !coversLoss
