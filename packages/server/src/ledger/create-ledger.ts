import { SECOND } from '@guildhall/protocol'
import type { Seal } from '../domain/ledger/ledger.ts'
import type { Ledger } from '../ports/ledger.ts'
import { attestHead } from './attest-head.ts'
import { newestTree } from './newest-tree.ts'
import { checkRecordedHead, LedgerBehindError } from './recorded-head.ts'
import { sealBatch } from './seal-batch.ts'
import type { SealerParts } from './sealer-parts.ts'

const PATIENCE_MS = SECOND

type Waiter = { readonly pendingId: string; readonly resolve: (seal: Seal | null) => void }

/** Batches by itself: entries that become pending while a batch is sealed go into the next. */
export function createLedger(parts: SealerParts): Ledger {
  const trees = newestTree()
  let waiters: Waiter[] = []
  let sealing: Promise<number> | null = null
  let wanted = false
  let trusted = true

  async function pass(): Promise<number> {
    try {
      let count = 0
      let early: ReadonlySet<Waiter>
      do {
        wanted = false
        early = new Set(waiters)
        const sealed = await sealBatch(parts, trees, early.size > 0).catch(distrustOldCopy)
        count += sealed.size
        await settle(sealed, early)
      } while (wanted || waiters.some((waiter) => !early.has(waiter)))
      return count
    } finally {
      // In the same tick as the last look at what is wanted: whoever asks after that look must begin another pass.
      sealing = null
    }
  }

  function distrustOldCopy(error: unknown): never {
    if (error instanceof LedgerBehindError) trusted = false
    throw error
  }

  /**
   * The entry of a caller that came during the batch may be in it, or waits for the next one. That of a caller that came before,
   * and is not in the batch, may have been sealed by another node.
   */
  async function settle(sealed: ReadonlyMap<string, Seal>, early: ReadonlySet<Waiter>): Promise<void> {
    const asked = waiters
    waiters = []
    for (const waiter of asked) {
      const elsewhere = () => (early.has(waiter) ? parts.store.seal(waiter.pendingId) : null)
      const seal = sealed.get(waiter.pendingId) ?? (await elsewhere())
      if (seal) waiter.resolve(seal)
      else waiters.push(waiter)
    }
    if (waiters.length > 0 && sealed.size > 0) wanted = true
  }

  function sealPending(): Promise<number> {
    wanted = true
    return begin()
  }

  function begin(): Promise<number> {
    sealing ??= pass()
    return sealing
  }

  function sealed(pendingId: string): Promise<Seal | null> {
    return new Promise((resolve) => {
      const stop = parts.timer.after(PATIENCE_MS, () => {
        waiters = waiters.filter((waiter) => waiter.pendingId !== pendingId)
        resolve(null)
      })
      const done = (seal: Seal | null) => {
        stop()
        resolve(seal)
      }
      waiters.push({ pendingId, resolve: done })
      begin().catch((error: unknown) => parts.log.alarm('the ledger could not be sealed', { error: String(error) }))
    })
  }

  return {
    sealed,
    sealPending,
    attestHead: () => attestHead(parts).catch(distrustOldCopy),
    isTrusted: () => trusted,
    check: async () => void (await checkRecordedHead(parts).catch(distrustOldCopy)),
  }
}
