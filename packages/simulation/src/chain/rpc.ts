import {
  type Authorization,
  type Chain,
  type Evidence,
  finalityOf,
  type Hex,
  type Movement,
  type ServedNetwork,
} from '@guildhall/server/parts'
import type { Chance } from '../time/chance.ts'
import type { Life, Scheduler } from '../time/scheduler.ts'
import { isExactly } from './is-exactly.ts'
import { isSignedBy } from './signatures.ts'
import type { Block, SimulatedChain } from './simulated-chain.ts'

/** The faults of the RPC node that one of our nodes uses. */
export type RpcFaults = {
  down: boolean
  /** Probability that a call fails. */
  flaky: number
  /** How many blocks it lags. */
  behind: number
  /** Probability that it omits a log from an answer. */
  forgetful: number
  /** It tells nothing of what a wallet held or moved. */
  blind: boolean
}

/** The most blocks that an RPC node lags. */
export const MOST_BEHIND = 4

export const SOUND_RPC: RpcFaults = { down: false, flaky: 0, behind: 0, forgetful: 0, blind: false }

type Network = { readonly chain: SimulatedChain; readonly served: ServedNetwork }

const UNREACHABLE = { kind: 'unreachable', cause: 'the RPC node does not answer' } as const
const LOG_NOT_FOUND = { kind: 'unreachable', cause: 'log not found' } as const
const BEHIND = { kind: 'unreachable', cause: 'the node is behind what was seen before' } as const

/** The chains as one node sees them: each answer is as of one head. */
export function createRpc(
  scheduler: Scheduler,
  chance: Chance,
  life: Life,
  networks: ReadonlyMap<string, Network>,
  faults: RpcFaults,
): Chain {
  const read = <T>(network: string, what: string, act: (known: Network, head: Block) => T) =>
    scheduler.step(life, what, () => {
      const known = networks.get(network)
      if (!known || faults.down || (faults.flaky > 0 && chance.happens(faults.flaky))) return UNREACHABLE
      known.chain.catchUp()
      const { blocks } = known.chain
      return act(known, blocks[Math.max(0, blocks.length - 1 - faults.behind)] as Block)
    })

  const readWallet: typeof read = (network, what, act) =>
    read(network, what, (known, head) => (faults.blind ? UNREACHABLE : act(known, head)))

  const isLeftOut = () => faults.forgetful > 0 && chance.happens(faults.forgetful)

  return {
    head: (network) => read(network, 'head', (_, { number }) => ({ kind: 'head', number: BigInt(number) })),
    isUsed: ({ network, from, nonce }) =>
      read(network, 'isUsed', ({ chain }, head) => chain.spendingAt(from, nonce, head.number) !== null),
    evidence: (authorization) =>
      read(authorization.network, 'evidence', (known, head) => {
        const found = evidenceOf(known, authorization, head)
        return found.kind !== 'unused' && isLeftOut() ? LOG_NOT_FOUND : found
      }),
    balanceOf: (network, address) =>
      read(network, 'balanceOf', ({ chain }, { number }) => ({
        kind: 'balance',
        atomic: chain.balanceAt(address, number),
        block: BigInt(number),
      })),
    walletSigned: (_network, address, text, signature) =>
      scheduler.step(life, 'walletSigned', () => (isSignedBy(address, text, signature) ? 'plain' : 'no')),
    payerSigned: (authorization, signature) =>
      scheduler.step(life, 'payerSigned', () =>
        isSignedBy(authorization.from, authorization, signature) ? 'plain' : 'no',
      ),

    lookAtWallet: (network, wallet, since) =>
      readWallet(network, 'lookAtWallet', ({ chain, served }, head) => {
        const number = Number(since.number)
        if (head.number < number) return BEHIND
        if (chain.blocks[number]?.hash !== since.hash) return { kind: 'rewound' }
        const movements = movementsOf(chain, wallet, number + 1, head.number).filter(() => !isLeftOut())
        const net = movements.reduce((sum, { incoming, amount }) => sum + (incoming ? amount : -amount), 0n)
        return {
          kind: 'look',
          head: BigInt(head.number),
          headHash: head.hash,
          final: BigInt(Math.max(0, head.number - served.finality + 1)),
          movements,
          unexplained: chain.balanceAt(wallet, head.number) - since.balance - net,
          transactions: 0n,
        }
      }),
    blockOfWallet: (network, wallet, wanted) =>
      readWallet(network, 'blockOfWallet', ({ chain, served }, head) => {
        const number = wanted === undefined ? Math.max(0, head.number - served.finality + 1) : Number(wanted)
        const block = number > head.number ? undefined : chain.blocks[number]
        if (!block) return BEHIND
        return { kind: 'block', number: BigInt(number), hash: block.hash, balance: chain.balanceAt(wallet, number) }
      }),
    blockHash: (network, number) =>
      read(network, 'blockHash', ({ chain }) => {
        const block = chain.blocks[Number(number)]
        return block ? { kind: 'hash', hash: block.hash } : BEHIND
      }),
    carriedOut: (network, txHash, logIndex) =>
      read(network, 'carriedOut', ({ chain }, head) => {
        const one = chain.find(txHash, logIndex)
        if (isLeftOut()) return LOG_NOT_FOUND
        if (one === null || one.blockNumber > head.number) return BEHIND
        const { from, nonce } = one.transfer
        return one.kind === 'authorized' ? { kind: 'authorization', from, nonce } : { kind: 'plain' }
      }),
  }
}

function evidenceOf({ chain, served }: Network, authorization: Authorization, head: Block): Evidence {
  const spending = chain.spendingAt(authorization.from, authorization.nonce, head.number)
  if (spending === null) {
    const final = chain.blocks[head.number - finalityOf(served, authorization.value) + 1]
    return { kind: 'unused', finalTime: BigInt(final?.time ?? 0), head: BigInt(head.number) }
  }
  const confirmations = head.number - spending.blockNumber + 1
  const { hash: txHash, logIndex } = spending
  const read = { txHash, confirmations, head: BigInt(head.number) }
  return isExactly(spending, authorization)
    ? { kind: 'settled', ...read, blockNumber: BigInt(spending.blockNumber), logIndex }
    : { kind: 'spent_otherwise', ...read }
}

function movementsOf(chain: SimulatedChain, wallet: Hex, first: number, last: number): readonly Movement[] {
  const found: Movement[] = []
  for (let number = first; number <= last; number++) {
    for (const { kind, transfer, hash, logIndex } of chain.blocks[number]?.mined ?? []) {
      const { from, to, value } = transfer
      if (kind === 'cancel' || from === to || (from !== wallet && to !== wallet)) continue
      const incoming = to === wallet
      const counterparty = incoming ? from : to
      found.push({ txHash: hash, logIndex, blockNumber: BigInt(number), incoming, counterparty, amount: value })
    }
  }
  return found
}
