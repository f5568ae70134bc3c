import { pad } from 'viem'
import { type Movement, netOf } from '../domain/custody/movement.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { ServedNetwork } from '../ports/rules.ts'
import type { CarriedOut, ProvenBlock, Rewound, WalletLook } from '../ports/wallet-chain.ts'
import { type Block, readBalance, readBlock, readTransactionCount } from './chain-reads.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import { AUTHORIZATION_USED, TRANSFER } from './token-abi.ts'
import { type BlockRange, readAllLogs, readTransactionLogs, type TokenLog } from './token-logs.ts'

/** Blocks per call: a node that omits logs from long answers is asked for fewer before its answer is accepted. */
const SPANS = [9_000n, 900n, 90n]

/**
 * All movements since a proven block, as of one head. The wallet's balance there shows whether the node left anything out: it
 * must equal the proven balance plus the movements since.
 */
export async function lookAtWallet(
  rpc: Rpc,
  served: ServedNetwork,
  wallet: Hex,
  since: ProvenBlock,
): Promise<WalletLook | Rewound> {
  const head = await readBlock(rpc, 'latest')
  if (head.number < since.number) throw new RpcFailure('unanswered', 'the node is behind what was seen before')
  const anchor = head.number === since.number ? head : await readBlock(rpc, since.number)
  if (anchor.hash !== since.hash) return { kind: 'rewound' }
  const balance = await readBalance(rpc, served.usdc, wallet, head.number)
  const transactions = await readTransactionCount(rpc, wallet, head.number)
  const range = { from: since.number + 1n, to: head.number }
  const read = await readMovements(rpc, { token: served.usdc, wallet }, range, balance - since.balance)
  // A node may briefly show the next block's state before the block: money that only seems to be missing must not stop payouts.
  if (read.unexplained !== 0n && (await readBalance(rpc, served.usdc, wallet, head.number)) !== balance) {
    throw new RpcFailure('unanswered', 'the node tells two balances of one block')
  }
  const now = await readBlock(rpc, head.number)
  if (now.hash !== head.hash) throw new RpcFailure('unanswered', 'the chain moved while it was read')
  const { number, hash } = head
  return { kind: 'look', head: number, headHash: hash, final: finalOf(head, served), ...read, transactions }
}

/** The movements in these blocks, and what they leave of the balance's change unexplained. */
async function readMovements(
  rpc: Rpc,
  { token, wallet }: { readonly token: Hex; readonly wallet: Hex },
  range: BlockRange,
  change: bigint,
) {
  let read: Pick<WalletLook, 'movements' | 'unexplained'> = { movements: [], unexplained: change }
  if (range.from > range.to) return read
  for (const span of SPANS) {
    const into = await readAllLogs(rpc, { address: token, topics: [TRANSFER, null, pad(wallet)] }, range, span)
    const out = await readAllLogs(rpc, { address: token, topics: [TRANSFER, pad(wallet)] }, range, span)
    const movements = [...into, ...out].flatMap((log) => movementOf(log, token, wallet)).sort(byPlace)
    read = { movements, unexplained: change - netOf(movements) }
    if (read.unexplained === 0n) break
  }
  return read
}

/** Skips transfers of zero, which anybody can cause, and transfers to oneself, which change nothing. */
function movementOf(
  { address, topics, data, txHash, index, blockNumber }: TokenLog,
  token: Hex,
  wallet: Hex,
): Movement[] {
  const [from, to] = [addressIn(topics[1]), addressIn(topics[2])]
  const self = wallet.toLowerCase()
  if (address !== token.toLowerCase() || topics[0] !== TRANSFER || (from !== self && to !== self)) {
    throw new RpcFailure('unanswered', 'another log than asked for')
  }
  const amount = BigInt(data)
  if (amount === 0n || from === to) return []
  const incoming = to === self
  return [{ txHash, logIndex: Number(index), blockNumber, incoming, counterparty: incoming ? from : to, amount }]
}

const addressIn = (topic = ''): Hex => `0x${topic.slice(-40)}`

const byPlace = (one: Movement, other: Movement): number =>
  Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex

const finalOf = ({ number }: Block, { finality }: ServedNetwork): bigint => {
  const final = number - BigInt(finality) + 1n
  return final < 0n ? 0n : final
}

export async function blockOfWallet(
  rpc: Rpc,
  served: ServedNetwork,
  wallet: Hex,
  wanted: bigint | undefined,
): Promise<ProvenBlock & { readonly kind: 'block' }> {
  const number = wanted ?? finalOf(await readBlock(rpc, 'latest'), served)
  const { hash } = await readBlock(rpc, number)
  return { kind: 'block', number, hash, balance: await readBalance(rpc, served.usdc, wallet, number) }
}

/** The token logs an authorization immediately before its transfer. */
export async function carriedOut(rpc: Rpc, token: Hex, txHash: Hex, logIndex: number): Promise<CarriedOut> {
  const logs = (await readTransactionLogs(rpc, txHash)).filter(({ address }) => address === token.toLowerCase())
  const place = logs.findIndex(({ index }) => Number(index) === logIndex)
  if (place < 0) throw new RpcFailure('unanswered', 'the transaction has moved to another block')
  const before = logs[place - 1]
  const [kind, from, nonce] = before?.topics ?? []
  if (kind !== AUTHORIZATION_USED || nonce === undefined) return { kind: 'plain' }
  return { kind: 'authorization', from: addressIn(from), nonce: nonce as Hex }
}
