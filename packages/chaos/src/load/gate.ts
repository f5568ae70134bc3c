/** Lets clients through while it is open. */
export type Gate = {
  /** Waits until it is open, then admits one; false when it has closed for good. */
  enter(): Promise<boolean>
  leave(): void
  open(): void
  /** Admits nobody any more, and waits until everybody has left. */
  close(): Promise<void>
  closeForGood(): void
}

export function createGate(): Gate {
  let state: 'open' | 'closed' | 'closed for good' = 'closed'
  let inside = 0
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  const change = () => new Promise<void>((resolve) => waiting.push(resolve))
  return {
    async enter() {
      while (state === 'closed') await change()
      if (state === 'closed for good') return false
      inside += 1
      return true
    },
    leave() {
      inside -= 1
      wake()
    },
    open() {
      state = 'open'
      wake()
    },
    async close() {
      state = 'closed'
      while (inside > 0) await change()
    },
    closeForGood() {
      state = 'closed for good'
      wake()
    },
  }
}
