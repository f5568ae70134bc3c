import { headOf, type Replica, type RpcBlock } from './replica.ts'

/** The time that the next block gets: what was asked for, else the clock's, but never earlier than its parent's. */
export function nextBlockTime({ rules, head }: Replica, clock: number): number {
  if (rules.next !== null) return rules.next
  if (rules.step !== null) return head.time + rules.step
  return Math.max(head.time, clock + rules.ahead)
}

/** Whether the newest block is too old; never while block times are set by calls or automine is off. */
export function isBehindClock({ rules, head }: Replica, clock: number, maximumAge: number): boolean {
  const followsClock = rules.automine && rules.next === null && rules.step === null
  return followsClock && clock + rules.ahead - head.time > maximumAge
}

/** Mines blocks, the first at the given time and each further one `gap` seconds after its parent. */
export async function mineBlocks(replica: Replica, first: number, count: number, gap: number): Promise<void> {
  for (let block = 0; block < count; block++) await mineOne(replica, first + block * gap)
}

/** Mines the waiting transactions if automine is on. */
export async function mineWaiting(replica: Replica, clock: number): Promise<void> {
  if (!replica.rules.automine) return
  const pool = (await replica.call('txpool_status', [])) as { readonly pending: string }
  let waiting = Number(pool.pending)
  // One block may be too small for all; a transaction that no block takes (its fee is too low) stays.
  while (waiting > 0) {
    const mined = await mineOne(replica, nextBlockTime(replica, clock))
    waiting = mined === 0 ? 0 : waiting - mined
  }
}

async function mineOne(replica: Replica, time: number): Promise<number> {
  const [block] = (await replica.call('evm_mine_detailed', [{ timestamp: time }])) as readonly RpcBlock[]
  replica.rules = { ...replica.rules, next: null }
  replica.head = headOf(block)
  return block?.transactions?.length ?? 0
}
