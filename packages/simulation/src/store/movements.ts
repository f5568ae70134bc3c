import type { CustodyWrites, Movement, Reader } from '@guildhall/server/parts'
import type { Overlay } from './overlay.ts'
import type { Ask, Statements } from './statements.ts'
import type { MovementRow, Tables } from './tables.ts'

export const movementKey = (network: string, { txHash, logIndex }: Pick<Movement, 'txHash' | 'logIndex'>): string =>
  `${network} ${txHash} ${logIndex}`

export const signed = ({ incoming, amount }: Movement): bigint => (incoming ? amount : -amount)

export const lockOf = (key: string): string => `movement ${key}`

export const newRow = (network: string, movement: Movement, at: number): MovementRow => ({
  ...movement,
  network,
  transferId: null,
  booked: false,
  proven: false,
  strayId: null,
  returnId: null,
  coversLoss: false,
  seenAt: at,
})

/** The keys of the committed rows that a statement is about; it locks them before it looks again. */
export const keysWhere = ({ movements }: Tables, isWanted: (row: MovementRow) => boolean): readonly string[] =>
  [...movements].filter(([, row]) => isWanted(row)).map(([key]) => key)

export const movementReads = (tables: Tables, ask: Ask) =>
  ({
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
  }) satisfies Partial<Reader>

export function movementWrites(tables: Tables, { change }: Statements) {
  const { movements } = tables

  const removeOf = (own: Overlay, transferId: string, except: string | null) => {
    for (const row of [...own.all(movements)]) {
      const key = movementKey(row.network, row)
      if (row.transferId === transferId && key !== except && !row.proven) own.remove(movements, key)
    }
  }
  /** A proven movement stays, as nobody's, because the proven balance contains it. */
  const forget = (own: Overlay, transferId: string, except: string | null) => {
    removeOf(own, transferId, except)
    for (const row of [...own.all(movements)]) {
      const key = movementKey(row.network, row)
      if (row.transferId === transferId && key !== except)
        own.put(movements, key, { ...row, transferId: null, strayId: null, booked: false })
    }
  }
  const locksOfTransfer = (transferId: string) => keysWhere(tables, (row) => row.transferId === transferId).map(lockOf)

  return {
    proveMovements: (network, seen, at) =>
      change('proveMovements', seen.map((one) => lockOf(movementKey(network, one))).sort(), (own) => {
        for (const movement of seen) {
          const key = movementKey(network, movement)
          const row = own.get(movements, key)
          if (row === null) own.put(movements, key, { ...newRow(network, movement, at), proven: true })
          else if (!row.proven) own.put(movements, key, { ...row, proven: true, blockNumber: movement.blockNumber })
        }
      }),
    unproveMovements(network, afterBlock) {
      const isGone = (row: MovementRow) => row.network === network && row.proven && row.blockNumber > afterBlock
      const keys = keysWhere(tables, isGone)
      return change('unproveMovements', keys.map(lockOf).sort(), (own) => {
        let net = 0n
        for (const key of keys) {
          const row = own.get(movements, key)
          if (row === null || !isGone(row)) continue
          own.put(movements, key, { ...row, proven: false })
          net += signed(row)
        }
        return net
      })
    },
    assignMovement(network, place, transferId, booked) {
      const key = movementKey(network, place)
      const locks = [...new Set([lockOf(key), ...locksOfTransfer(transferId)])]
      return change('assignMovement', locks, (own) => {
        removeOf(own, transferId, key)
        const row = own.get(movements, key)
        if (row === null || row.strayId !== null || (row.transferId ?? transferId) !== transferId) return
        own.put(movements, key, { ...row, transferId, booked: row.booked || booked })
      })
    },
    bookMovement(network, movement, transferId, at) {
      const key = movementKey(network, movement)
      const locks = [...new Set([lockOf(key), ...locksOfTransfer(transferId)])]
      return change('bookMovement', locks, (own) => {
        forget(own, transferId, key)
        const row = own.get(movements, key)
        if (row === null) own.put(movements, key, { ...newRow(network, movement, at), transferId, booked: true })
        else if (row.transferId !== transferId && !(row.transferId === null && !row.booked)) return false
        else own.put(movements, key, { ...row, transferId, booked: true, blockNumber: movement.blockNumber })
        return true
      })
    },
    forgetMovement: (transferId) =>
      change('forgetMovement', locksOfTransfer(transferId), (own) => forget(own, transferId, null)),
    lockUnseenPayments(network, upToBlock) {
      const isUnseen = ({ booked, proven, incoming, transferId, blockNumber, ...row }: MovementRow) =>
        row.network === network && booked && !proven && incoming && transferId !== null && blockNumber <= upToBlock
      const keys = keysWhere(tables, isUnseen)
      return change('lockUnseenPayments', keys.map(lockOf).sort(), (own) =>
        keys.flatMap((key) => {
          const row = own.get(movements, key)
          return row && isUnseen(row) ? [row] : []
        }),
      )
    },
  } satisfies Partial<CustodyWrites>
}
