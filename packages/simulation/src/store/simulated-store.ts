import { SECOND } from '@guildhall/protocol'
import {
  type SealingTransaction,
  type Store,
  StoreUnavailableError,
  shareCommits,
  type Transaction,
} from '@guildhall/server/parts'
import type { Seams } from '../bugs.ts'
import type { Chance } from '../time/chance.ts'
import type { Life, Scheduler } from '../time/scheduler.ts'
import { readsOf, writesOf } from './families.ts'
import { ConflictError, createLocks, type Holder } from './locks.ts'
import { COMMITTED, createOverlay, type Overlay } from './overlay.ts'
import { sealingOf } from './sealing.ts'
import type { Change, Statements } from './statements.ts'
import { createTables, type Tables } from './tables.ts'

/** Faults between a node and its database, as probabilities. */
export type StoreFaults = {
  /** A connection is lost at a statement. */
  cut: number
  /** The answer to a commit is lost; whether it was written is random. */
  lostCommit: number
}

type Open = Holder & {
  readonly life: Life
  readonly own: Overlay
  readonly patienceMs: number
  isLost: boolean
}

/** The database that all nodes share. */
export type Database = {
  readonly tables: Tables
  readonly faults: StoreFaults
  storeFor(life: Life): Store
  /** The server notices that a node is gone, or has been idle in a transaction for too long. */
  abandon(life: Life): void
  /** Called on every commit, with the rows about to be written. */
  readonly onCommit: ((own: Overlay) => void)[]
  /** What became of changes that were to share a transaction. */
  readonly outcomesOfSharing: Set<string>
}

const ATTEMPTS = 6
const LOCK_PATIENCE_MS = 2 * SECOND
const SHARED_LOCK_PATIENCE_MS = 50

/** A lock was not to be had in time. */
class LockTimeoutError extends StoreUnavailableError {}

/** One at a time, so that changes share their transactions more often than in PostgreSQL. */
const SHARED_AT_ONCE = 1

const connectionLost = () => new StoreUnavailableError('The connection to PostgreSQL was lost.')

/** PostgreSQL as far as the actions can tell: read committed, row locks, unique keys, rollbacks, and its failures. */
export function createDatabase(scheduler: Scheduler, chance: Chance, seams: Seams): Database {
  const tables = createTables()
  const locks = createLocks()
  const open = new Set<Open>()
  const faults: StoreFaults = { cut: 0, lostCommit: 0 }
  let sequence = 0
  const database: Database = { tables, faults, storeFor, abandon, onCommit: [], outcomesOfSharing: new Set() }

  function end(one: Open): void {
    open.delete(one)
    locks.giveUp(one)
    locks.release(one)
  }

  function abandon(life: Life): void {
    for (const one of [...open]) {
      if (one.life !== life) continue
      one.isLost = true
      end(one)
    }
  }

  function refuseIfCut(one: Open | null): void {
    if (one?.isLost || (faults.cut > 0 && chance.happens(faults.cut))) {
      if (one && !one.isLost) {
        one.isLost = true
        end(one)
      }
      throw connectionLost()
    }
  }

  function waitFor(one: Open, key: string): Promise<void> | null {
    let granted: () => void = () => {}
    const isHeld = locks.take(one, key, () => granted())
    if (isHeld) return null
    return new Promise((resolve, reject) => {
      const stop = scheduler.after(one.life, one.patienceMs, () => {
        locks.giveUp(one)
        reject(new LockTimeoutError('canceling statement due to lock timeout'))
      })
      granted = () => {
        stop()
        void scheduler.step(one.life, 'granted', resolve)
      }
    })
  }

  const carryOut: (one: Open) => Change = (one) => async (what, keys, act) => {
    await scheduler.step(one.life, what, () => refuseIfCut(one))
    for (const key of keys) {
      const wait = waitFor(one, key)
      if (wait === null) continue
      await wait
      refuseIfCut(one)
    }
    // An older copy of the tables may have been restored since the statement was sent.
    if (one.isLost) throw connectionLost()
    return act(one.own)
  }

  /** Statements of one transaction run one after the other, and none after one that failed. */
  function inTurn(change: Change): Change {
    let last: Promise<unknown> = Promise.resolve()
    return (what, keys, act) => {
      const answer = last.then(() => change(what, keys, act))
      last = answer
      return answer
    }
  }

  const statementsOf = (one: Open): Statements => ({
    change: inTurn(carryOut(one)),
    isFree: (key) => locks.isFree(one, key),
    nextNumber: () => ++sequence,
  })

  async function commit(one: Open): Promise<void> {
    await scheduler.step(one.life, 'commit', () => {
      refuseIfCut(one)
      const isAnswerLost = faults.lostCommit > 0 && chance.happens(faults.lostCommit)
      const isWritten = !isAnswerLost || chance.happens(0.5)
      if (isWritten) {
        for (const watch of database.onCommit) watch(one.own)
        one.own.apply()
      }
      end(one)
      if (isAnswerLost) throw new StoreUnavailableError('The answer to a commit was lost.', { maybeWritten: true })
    })
    await scheduler.step(one.life, 'committed', () => {})
  }

  async function once<T>(life: Life, patienceMs: number, work: (one: Open) => Promise<T>): Promise<T> {
    const one: Open = { life, own: createOverlay(), held: new Set(), waitsFor: null, patienceMs, isLost: false }
    open.add(one)
    try {
      const result = await work(one)
      await commit(one)
      return result
    } finally {
      end(one)
    }
  }

  async function again<T, Tx>(life: Life, make: (one: Open) => Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(life, LOCK_PATIENCE_MS, (one) => work(make(one)))
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        if (attempt === ATTEMPTS) throw new StoreUnavailableError('Too many transactions in conflict.')
        await scheduler.pause(life, chance.below(5 * 2 ** attempt))
      }
    }
  }

  const transactionOf = (one: Open): Transaction => transactionBy(one, statementsOf(one))

  function transactionBy(one: Open, statements: Statements): Transaction {
    const { change } = statements
    const tx = onlySimulated<Transaction>({
      ...readsOf(tables, (what, act) => change(what, [], act)),
      ...writesOf(tables, statements),
    })
    return seams.transaction(tx, { life: one.life, tables, change })
  }

  /** Each change has a view of its own; the statements of all of them run one after the other. */
  async function together<T>(life: Life, work: (open: () => Transaction) => Promise<T>): Promise<T> {
    let views = 0
    const note = (outcome: string) => views > 1 && database.outcomesOfSharing.add(outcome)
    try {
      const result = await once(life, SHARED_LOCK_PATIENCE_MS, (one) => {
        const statements = statementsOf(one)
        return work(() => {
          views++
          return transactionBy(one, statements)
        })
      })
      note('changes committed together')
      return result
    } catch (error) {
      note('changes not committed together')
      throw error
    }
  }

  const sealerOf = (one: Open): SealingTransaction => {
    const { change } = statementsOf(one)
    return seams.sealing(sealingOf(tables, change), { life: one.life, tables, change })
  }

  function storeFor(life: Life): Store {
    const ask = <T>(what: string, act: (view: typeof COMMITTED) => T): Promise<T> =>
      scheduler.step(life, what, () => {
        refuseIfCut(null)
        return act(COMMITTED)
      })
    const transaction: Store['transaction'] = (work) => again(life, transactionOf, work)
    const sharedTransaction = shareCommits({
      together: (work) => together(life, work),
      alone: transaction,
      isStoreLost: (error) => error instanceof StoreUnavailableError && !(error instanceof LockTimeoutError),
      atOnce: SHARED_AT_ONCE,
      soon: queueMicrotask,
      whenHere: (begin) => void scheduler.step(life, 'others may come', begin),
    })
    const store = onlySimulated<Store>({
      ...readsOf(tables, ask),
      transaction,
      sharedTransaction,
      sealing: (work) => again(life, sealerOf, work),
    })
    return seams.store(store)
  }

  return database
}

/** Nothing else ever falls due; any other method is not simulated, and throws. */
const onlySimulated = <T extends object>(part: Partial<T>): T =>
  new Proxy(part, {
    get(known, name) {
      if (name in known) return known[name as keyof T]
      if (String(name).startsWith('due')) return async () => []
      throw new Error(`${String(name)} is not simulated`)
    },
  }) as T
