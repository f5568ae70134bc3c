/** A deadlock was broken at the expense of this transaction; it runs again. */
export class ConflictError extends Error {
  constructor() {
    super('deadlock detected')
    this.name = 'ConflictError'
  }
}

/** A holder of locks; it waits for at most one more. */
export type Holder = { readonly held: Set<string>; waitsFor: string | null }

type Waiter = { readonly holder: Holder; granted(): void }
type Lock = { holder: Holder; readonly waiters: Waiter[] }

export type Locks = {
  /** True when the lock is held now; otherwise `granted` is called later. Throws on a deadlock. */
  take(holder: Holder, key: string, granted: () => void): boolean
  isFree(holder: Holder, key: string): boolean
  giveUp(holder: Holder): void
  release(holder: Holder): void
}

/** Row locks as PostgreSQL keeps them: first come, first served, until the end of the transaction. */
export function createLocks(): Locks {
  const locks = new Map<string, Lock>()

  function waitsInCircle(holder: Holder, key: string): boolean {
    for (let wanted: string | null = key; wanted !== null; ) {
      const owner: Holder | undefined = locks.get(wanted)?.holder
      if (owner === undefined) return false
      if (owner === holder) return true
      wanted = owner.waitsFor
    }
    return false
  }

  function pass(key: string, lock: Lock): void {
    const next = lock.waiters.shift()
    if (next === undefined) {
      locks.delete(key)
      return
    }
    lock.holder = next.holder
    next.holder.held.add(key)
    next.holder.waitsFor = null
    next.granted()
  }

  return {
    take(holder, key, granted) {
      const lock = locks.get(key)
      if (lock === undefined) {
        locks.set(key, { holder, waiters: [] })
        holder.held.add(key)
        return true
      }
      if (lock.holder === holder) return true
      if (waitsInCircle(holder, key)) throw new ConflictError()
      holder.waitsFor = key
      lock.waiters.push({ holder, granted })
      return false
    },
    isFree: (holder, key) => (locks.get(key)?.holder ?? holder) === holder,
    giveUp(holder) {
      const lock = holder.waitsFor === null ? undefined : locks.get(holder.waitsFor)
      const place = lock?.waiters.findIndex((waiter) => waiter.holder === holder) ?? -1
      if (place >= 0) lock?.waiters.splice(place, 1)
      holder.waitsFor = null
    },
    release(holder) {
      for (const key of holder.held) {
        const lock = locks.get(key)
        if (lock?.holder === holder) pass(key, lock)
      }
      holder.held.clear()
    },
  }
}
