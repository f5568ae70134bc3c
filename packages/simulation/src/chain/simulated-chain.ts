import type { Authorization, Hex } from '@guildhall/server/parts'
import type { Chance } from '../time/chance.ts'

/** A transaction sent to the chain, waiting for a block. */
export type Sent = {
  readonly hash: Hex
  readonly kind: 'authorized' | 'plain' | 'cancel'
  /** For a cancellation only payer and nonce count. */
  readonly transfer: Authorization
  /** It is not mined before this time. */
  readonly notBefore: number
}

/** A successful transaction. */
export type Mined = Sent & { readonly blockNumber: number; readonly logIndex: number }

export type Block = {
  readonly number: number
  readonly hash: Hex
  /** In whole seconds; quick blocks share one. */
  readonly time: number
  /** The same in milliseconds, not visible to callers. */
  readonly at: number
  readonly mined: readonly Mined[]
}

export type SimulatedChain = {
  readonly network: string
  readonly blocks: readonly Block[]
  /** No block is mined while this is set. */
  halted: boolean
  /** By how many seconds block times lag. */
  lag: number
  /** How often it took blocks back. */
  readonly reorgs: number
  /** Called right before it takes blocks back. */
  readonly onReorg: (() => void)[]
  head(): Block
  /** Mines the blocks due since the last one: only a few, however long ago that was. */
  catchUp(): void
  mine(): void
  send(kind: Sent['kind'], transfer: Authorization, notBefore?: number): Hex
  mint(address: Hex, amount: bigint): void
  /** Reorgs the newest blocks away; most of their transactions are mined again later, unless their payers cancel them now. */
  reorganise(depth: number, isCancelled?: (one: Mined) => boolean): void
  /** Makes every waiting transaction minable now. */
  hasten(): void
  balanceAt(address: Hex, block: number): bigint
  /** The transaction that spent the nonce, as of a block. */
  spendingAt(from: Hex, nonce: Hex, block: number): Mined | null
  find(hash: Hex, logIndex: number): Mined | null
}

const BLOCKS_AT_ONCE = 6

/** A chain with one EIP-3009 token, as far as its logs, balances and nonces go. */
export function createSimulatedChain(
  network: string,
  chance: Chance,
  clock: () => number,
  tell: (words: () => string) => void,
): SimulatedChain {
  const blockMs = chance.pick([200, 500, 1000])
  const blocks: Block[] = []
  const balances = new Map<string, bigint>()
  const spent = new Map<string, Mined>()
  let waiting: Sent[] = []
  let counter = 0
  let reorgs = 0

  const hex = (): Hex => {
    counter++
    return `0x${counter.toString(16).padStart(8, '0')}${Buffer.from(chance.bytes(4)).toString('hex').padEnd(56, '0')}`
  }
  const now = () => clock() - chain.lag * 1000
  const head = () => blocks.at(-1) as Block
  const keyOf = (from: string, nonce: string) => `${from} ${nonce}`
  const move = (address: string, by: bigint) => balances.set(address, (balances.get(address) ?? 0n) + by)

  function succeeds({ kind, transfer }: Sent, time: number): boolean {
    if (kind !== 'plain' && spent.has(keyOf(transfer.from, transfer.nonce))) return false
    if (kind === 'cancel') return true
    if (kind === 'authorized' && !(BigInt(time) > transfer.validAfter && BigInt(time) < transfer.validBefore))
      return false
    return (balances.get(transfer.from) ?? 0n) >= transfer.value
  }

  function carryOut(one: Mined): void {
    const { kind, transfer } = one
    if (kind !== 'plain') spent.set(keyOf(transfer.from, transfer.nonce), one)
    if (kind === 'cancel') return
    move(transfer.from, -transfer.value)
    move(transfer.to, transfer.value)
  }

  function takeBack({ kind, transfer }: Mined): void {
    if (kind !== 'plain') spent.delete(keyOf(transfer.from, transfer.nonce))
    if (kind === 'cancel') return
    move(transfer.from, transfer.value)
    move(transfer.to, -transfer.value)
  }

  /** A block is never older than the one before it. */
  function mineAt(wanted: number): void {
    const number = blocks.length
    const at = Math.max(blocks.at(-1)?.at ?? 0, wanted)
    const time = Math.floor(at / 1000)
    const due = waiting.filter(({ notBefore }) => notBefore <= clock())
    waiting = waiting.filter(({ notBefore }) => notBefore > clock())
    const mined: Mined[] = []
    let logIndex = 0
    for (const sent of due) {
      if (!succeeds(sent, time)) {
        tell(() => `${network} #${number}: ${sent.kind} ${short(sent.hash)} reverts`)
        continue
      }
      // An authorization is logged right before its transfer.
      const one: Mined = {
        ...sent,
        blockNumber: number,
        logIndex: sent.kind === 'authorized' ? logIndex + 1 : logIndex,
      }
      logIndex = one.logIndex + 1
      carryOut(one)
      mined.push(one)
      tell(() => `${network} #${number}: ${describe(one)}`)
    }
    blocks.push({ number, hash: hex(), time, at, mined })
  }

  const chain: SimulatedChain = {
    network,
    blocks,
    halted: false,
    lag: 0,
    get reorgs() {
      return reorgs
    },
    onReorg: [],
    head,
    mine() {
      if (!chain.halted) mineAt(now())
    },
    catchUp() {
      if (chain.halted) return
      const missing = Math.floor((now() - head().at) / blockMs)
      for (let left = Math.min(BLOCKS_AT_ONCE, missing) - 1; left >= 0; left--) mineAt(now() - left * blockMs)
    },
    send(kind, transfer, notBefore = 0) {
      const hash = hex()
      waiting.push({ hash, kind, transfer, notBefore })
      return hash
    },
    mint: (address, amount) => void move(address, amount),
    reorganise(depth, isCancelled = () => false) {
      for (const watch of chain.onReorg) watch()
      reorgs++
      const gone = blocks.splice(Math.max(1, blocks.length - depth)).reverse()
      const back: Sent[] = []
      /** They are all in the newest block of the other branch, less deep than before. */
      const isLate = chance.happens(0.4)
      const later = () => clock() + (isLate || chance.happens(0.5) ? 0 : chance.below(600_000))
      for (const block of gone) {
        for (const one of [...block.mined].reverse()) {
          takeBack(one)
          if (isCancelled(one)) {
            back.unshift({ hash: hex(), kind: 'cancel', transfer: one.transfer, notBefore: 0 })
            tell(() => `${network} takes back ${describe(one)}, which its payer cancels`)
            continue
          }
          const isForgotten = chance.happens(0.2)
          tell(() => `${network} takes back ${describe(one)}${isForgotten ? ' for good' : ''}`)
          if (isForgotten) continue
          // It may be sent again in another transaction.
          const { kind, transfer } = one
          const hash = chance.happens(0.3) ? hex() : one.hash
          back.unshift({ hash, kind, transfer, notBefore: later() })
        }
      }
      const first = isLate ? gone.length : 1
      for (let count = 1; count <= gone.length; count++) {
        if (count === first) waiting = [...back, ...waiting]
        mineAt(now())
      }
    },
    hasten() {
      waiting = waiting.map((sent) => ({ ...sent, notBefore: 0 }))
    },
    balanceAt(address, block) {
      let balance = balances.get(address) ?? 0n
      for (let number = blocks.length - 1; number > block; number--) {
        for (const { kind, transfer } of blocks[number]?.mined ?? []) {
          if (kind === 'cancel') continue
          if (transfer.from === address) balance += transfer.value
          if (transfer.to === address) balance -= transfer.value
        }
      }
      return balance
    },
    spendingAt(from, nonce, block) {
      const found = spent.get(keyOf(from, nonce))
      return found !== undefined && found.blockNumber <= block ? found : null
    },
    find(hash, logIndex) {
      for (const { mined } of blocks) {
        for (const one of mined) if (one.hash === hash && one.logIndex === logIndex) return one
      }
      return null
    },
  }
  for (let left = BLOCKS_AT_ONCE; left > 0; left--) mineAt(now() - left * blockMs)
  return chain
}

const short = (hash: string): string => hash.slice(2, 10)

const describe = ({ kind, hash, transfer: { from, to, value, nonce } }: Sent): string =>
  kind === 'cancel'
    ? `${short(hash)} cancels nonce ${short(nonce)} of ${from.slice(-4)}`
    : `${short(hash)} moves ${value} from ${from.slice(-4)} to ${to.slice(-4)}${kind === 'plain' ? '' : ` by nonce ${short(nonce)}`}`
