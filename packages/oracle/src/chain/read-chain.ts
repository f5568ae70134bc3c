import {
  type Address,
  createPublicClient,
  erc20Abi,
  type Hex,
  http,
  isAddressEqual,
  type PublicClient,
  parseAbiItem,
  parseEventLogs,
} from 'viem'

/** One USDC transfer from or to the escrow wallet. */
export type Movement = {
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: bigint
}

/** A nonce used on chain, and the transfer that the token logged right after it. */
export type Spending = {
  readonly authorizer: string
  readonly nonce: string
  readonly txHash: string
  readonly blockNumber: bigint
  readonly movement: Movement | null
}

/** What one chain shows of the escrow wallet and of every payer on record. */
export type ChainView = {
  readonly network: string
  readonly balance: bigint
  readonly movements: readonly Movement[]
  readonly spendings: readonly Spending[]
}

export type WatchedNetwork = { readonly network: string; readonly rpcUrl: string; readonly usdc: string }

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
const usedEvent = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')

/** Blocks that public nodes accept per call. */
const BLOCKS_AT_ONCE = 9_000n
const AUTHORIZERS_AT_ONCE = 200

type Place = { readonly client: PublicClient; readonly token: Address }
type Range = { readonly fromBlock: bigint; readonly toBlock: bigint }

/** Reads the chain from a block to its newest, with our own RPC calls. */
export async function readChain(
  { network, rpcUrl, usdc }: WatchedNetwork,
  escrowWallet: string,
  payers: readonly string[],
  fromBlock: bigint,
): Promise<ChainView> {
  const client: PublicClient = createPublicClient({ transport: http(rpcUrl, { timeout: 10_000 }) })
  const place = { client, token: usdc as Address }
  const wallet = escrowWallet as Address
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  const ranges = rangesOf(fromBlock, newest)
  const movements = await readMovements(place, wallet, ranges)
  const spendings = await readSpendings(place, [...new Set([...payers, escrowWallet])], ranges)
  const balance = await client.readContract({
    address: place.token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [wallet],
    blockNumber: newest,
  })
  return { network, balance, movements, spendings }
}

async function readMovements(
  { client, token }: Place,
  wallet: Address,
  ranges: readonly Range[],
): Promise<readonly Movement[]> {
  const movements = new Map<string, Movement>()
  for (const range of ranges) {
    const transfers = { address: token, event: transferEvent, ...range, strict: true } as const
    const outgoing = await client.getLogs({ ...transfers, args: { from: wallet } })
    const incoming = await client.getLogs({ ...transfers, args: { to: wallet } })
    for (const { args, transactionHash, logIndex, blockNumber } of [...outgoing, ...incoming]) {
      movements.set(`${transactionHash} ${logIndex}`, movementOf(args, transactionHash, logIndex, blockNumber))
    }
  }
  return [...movements.values()]
}

async function readSpendings(
  { client, token }: Place,
  authorizers: readonly string[],
  ranges: readonly Range[],
): Promise<readonly Spending[]> {
  const spendings: Spending[] = []
  for (const range of ranges) {
    for (const portion of inPortions(authorizers)) {
      const used = { address: token, event: usedEvent, ...range, strict: true } as const
      for (const log of await client.getLogs({ ...used, args: { authorizer: portion } })) {
        const { args, transactionHash: txHash, blockNumber, logIndex } = log
        const movement = await movementAfter(client, token, txHash, logIndex)
        const [authorizer, nonce] = [lower(args.authorizer), lower(args.nonce)]
        spendings.push({ authorizer, nonce, txHash: lower(txHash), blockNumber, movement })
      }
    }
  }
  return spendings
}

/** The token's own next log in the transaction, if it is a transfer: the one that the authorization executed. */
async function movementAfter(
  client: PublicClient,
  token: Address,
  hash: Hex,
  logIndex: number,
): Promise<Movement | null> {
  const { logs, status } = await client.getTransactionReceipt({ hash })
  if (status !== 'success') return null
  const next = logs.find((log) => log.logIndex > logIndex && isAddressEqual(log.address, token))
  const [transfer] = next ? parseEventLogs({ abi: [transferEvent], logs: [next], strict: true }) : []
  return transfer ? movementOf(transfer.args, hash, transfer.logIndex, transfer.blockNumber) : null
}

const movementOf = (
  args: { from: Address; to: Address; value: bigint },
  txHash: Hex,
  logIndex: number,
  blockNumber: bigint,
): Movement => ({
  from: lower(args.from),
  to: lower(args.to),
  value: args.value,
  txHash: lower(txHash),
  logIndex,
  blockNumber,
})

function rangesOf(from: bigint, to: bigint): readonly Range[] {
  const ranges: Range[] = []
  for (let fromBlock = from; fromBlock <= to; fromBlock += BLOCKS_AT_ONCE) {
    const end = fromBlock + BLOCKS_AT_ONCE - 1n
    ranges.push({ fromBlock, toBlock: end > to ? to : end })
  }
  return ranges
}

function inPortions(all: readonly string[]): readonly Address[][] {
  const portions: Address[][] = []
  for (let start = 0; start < all.length; start += AUTHORIZERS_AT_ONCE) {
    portions.push(all.slice(start, start + AUTHORIZERS_AT_ONCE) as Address[])
  }
  return portions
}

const lower = (hex: string): string => hex.toLowerCase()
