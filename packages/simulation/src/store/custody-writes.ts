import type { CustodyWrites, Movement } from '@guildhall/server/parts'
import { isOpenStray, movementKey, signed, strayOf } from './reads.ts'
import type { MovementRow, Overlay, Tables } from './tables.ts'
import type { Change } from './writes.ts'

const COMING_IN = new Set<string>(['deposit', 'bond'])

const newRow = (network: string, movement: Movement, at: number): MovementRow => ({
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

export function custodyWritesOf(tables: Tables, change: Change): CustodyWrites {
  const { movements, watches, transfers, postings } = tables
  const lockOf = (key: string) => `movement ${key}`

  const keysWhere = (isWanted: (row: MovementRow) => boolean): readonly string[] =>
    [...movements].filter(([, row]) => isWanted(row)).map(([key]) => key)

  const updateStray = (strayId: string, update: Partial<MovementRow>) => {
    const keys = keysWhere((row) => row.strayId === strayId)
    return change('updateStray', keys.map(lockOf), (own) => {
      for (const key of keys) {
        const row = own.get(movements, key)
        if (row) own.put(movements, key, { ...row, ...update })
      }
    })
  }

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
  const locksOfTransfer = (transferId: string) => keysWhere((row) => row.transferId === transferId).map(lockOf)

  return {
    openWatch: ({ network, wallet, asset, lookAt }) =>
      change('openWatch', [`watch ${network}`], (own) => {
        if (own.get(watches, network) !== null) return
        const unknown = { firstBlock: null, proven: null, trouble: null, provenAt: null }
        const none = { difference: 0n, transactions: 0n, missed: 0, fence: 0 }
        own.put(watches, network, { network, wallet, asset, lookAt, ...unknown, ...none })
      }),
    leaseWatch: (network, now, until) =>
      change('leaseWatch', [`watch ${network}`], (own) => {
        const free = own.get(watches, network)
        if (free === null || free.lookAt > now) return null
        const leased = { ...free, lookAt: until, fence: free.fence + 1 }
        own.put(watches, network, leased)
        return leased
      }),
    renewWatch: ({ network, fence }, over, until) =>
      change('renewWatch', [`watch ${network}`], (own) => {
        const held = own.get(watches, network)
        if (held?.fence !== fence || held.lookAt <= over) return false
        own.put(watches, network, { ...held, lookAt: until })
        return true
      }),
    lockWatch: (network) => change('lockWatch', [`watch ${network}`], (own) => own.get(watches, network)),
    saveWatch: (watch) =>
      change('saveWatch', [`watch ${watch.network}`], (own) => {
        if (own.get(watches, watch.network)?.fence !== watch.fence) return false
        own.put(watches, watch.network, watch)
        return true
      }),

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
      const keys = keysWhere(isGone)
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
      const keys = keysWhere((row) => row.strayId === strayId)
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
      const keys = keysWhere(isGone)
      return change('lockUnprovenStrays', keys.map(lockOf).sort(), (own) =>
        keys.flatMap((key) => {
          const row = own.get(movements, key)
          return row !== null && isGone(row) ? [strayOf(tables, own, row)] : []
        }),
      )
    },
    forgetStray(strayId) {
      const keys = keysWhere((row) => row.strayId === strayId)
      return change('forgetStray', keys.map(lockOf), (own) => {
        for (const key of keys) own.remove(movements, key)
      })
    },
    explainStray: (strayId, transferId) => updateStray(strayId, { transferId }),
    returnStray: (strayId, transferId) => updateStray(strayId, { returnId: transferId }),
    coverLoss: (strayId) => updateStray(strayId, { coversLoss: true }),

    custodyPosition: (network, block) =>
      change('custodyPosition', [], (own) => {
        let [journal, notBooked, notProven] = [0n, 0n, 0n]
        for (const posting of own.all(postings)) {
          if (posting.network !== network) continue
          if (posting.debit === 'wallet') journal += posting.amount
          if (posting.credit === 'wallet') journal -= posting.amount
        }
        for (const row of own.all(movements)) {
          if (row.network !== network || (row.booked && row.proven)) continue
          if (row.proven && !row.booked && row.transferId !== null) notBooked += signed(row)
          const isFinal = row.transferId === null ? null : own.get(transfers, row.transferId)?.final
          const mayPass = row.blockNumber > block || isFinal === false
          if (row.booked && !row.proven && mayPass) notProven += signed(row)
        }
        let underWay = 0n
        for (const { state, purpose, authorization } of own.all(transfers))
          if (authorization.network === network && state === 'intended' && COMING_IN.has(purpose))
            underWay += authorization.value
        return { journal, notBooked, notProven, underWay }
      }),
  }
}
