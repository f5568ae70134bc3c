import { encodeFunctionData, erc20Abi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, seenThrough } from '../../tests/support/meddling-node.ts'
import { lower, openPlayChain, type PlayChain } from '../../tests/support/open-play-chain.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { ProvenBlock, WalletLook } from '../ports/wallet-chain.ts'
import type { EvmChain } from './evm-chain.ts'

const SENDER: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BASE = 'eip155:8453'
const wallet = lower(privateKeyToAccount(generatePrivateKey()).address)
let play: PlayChain
let start: ProvenBlock

const transfer = (to: Hex, amount: bigint) =>
  play.send(play.served.usdc, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }))

async function proven(number?: bigint): Promise<ProvenBlock> {
  const block = await play.evm.blockOfWallet(BASE, wallet, number)
  if (block.kind === 'unreachable') throw new Error(block.cause)
  return block
}

async function look(since: ProvenBlock, evm: EvmChain = play.evm): Promise<WalletLook> {
  const seen = await evm.lookAtWallet(BASE, wallet, since)
  if (seen.kind !== 'look') throw new Error(`no look: ${JSON.stringify(seen)}`)
  return seen
}

const amounts = ({ movements }: WalletLook) => movements.map(({ incoming, amount }) => (incoming ? amount : -amount))

beforeAll(async () => {
  play = await openPlayChain(BASE, { confirmations: 1, finality: 3 })
  await play.sandbox.mint(SENDER, 1_000_000n)
  start = await proven(await headNumber())
  for (const amount of [1n, 2n, 3n]) {
    await transfer(wallet, amount)
    await play.call('anvil_mine', 30)
  }
})

afterAll(() => play.close())

const headNumber = async () => BigInt((await play.call('eth_blockNumber')) as string)

test('a look shows every transfer since the proven block, in the order of the chain, and explains the balance', async () => {
  const seen = await look(start)
  expect(amounts(seen)).toEqual([1n, 2n, 3n])
  expect(seen).toMatchObject({ unexplained: 0n, transactions: 0n, head: await headNumber(), final: seen.head - 2n })
  const [first] = seen.movements
  expect(first).toMatchObject({ counterparty: SENDER, incoming: true, logIndex: 0, blockNumber: start.number + 1n })
})

test('a look since the newest block shows nothing', async () => {
  const seen = await look(await proven(await headNumber()))
  expect(seen).toMatchObject({ movements: [], unexplained: 0n })
})

test('transfers of nothing, from or to the wallet, are no movements: anybody can make them', async () => {
  const before = await proven(await headNumber())
  await transfer(wallet, 0n)
  const poison = { abi: erc20Abi, functionName: 'transferFrom', args: [wallet, SENDER, 0n] } as const
  await play.send(play.served.usdc, encodeFunctionData(poison))
  await play.send(play.served.usdc, encodeFunctionData({ ...poison, args: [wallet, wallet, 0n] }))
  expect(await look(before)).toMatchObject({ movements: [], unexplained: 0n, transactions: 0n })
})

test('what leaves the wallet is seen, and that the wallet has sent it itself', async () => {
  const before = await proven(await headNumber())
  await play.call('anvil_impersonateAccount', wallet)
  await play.sandbox.fundGas(wallet, 10n ** 18n)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [SENDER, 2n] })
  await play.call('eth_sendTransaction', { from: wallet, to: play.served.usdc, data })
  expect(await look(before)).toMatchObject({
    movements: [{ incoming: false, counterparty: SENDER, amount: 2n }],
    unexplained: 0n,
    transactions: 1n,
  })
})

test('the authorization behind a transfer is told, and that there is none behind a plain one', async () => {
  const before = await proven(await headNumber())
  const { authorization, signature, payer } = await play.authorize({ to: wallet })
  await play.settle({ authorization, signature, payer })
  await transfer(wallet, 1n)
  const { movements } = await look(before)
  const behind = await Promise.all(movements.map(({ txHash, logIndex }) => play.evm.carriedOut(BASE, txHash, logIndex)))
  expect(behind).toEqual([
    { kind: 'authorization', from: authorization.from, nonce: authorization.nonce },
    { kind: 'plain' },
  ])
})

describe('a node', () => {
  const isLogs = ({ method }: Call) => method === 'eth_getLogs'
  const spanOf = ({ params }: Call) => {
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
    return Number(toBlock) - Number(fromBlock) + 1
  }
  const seenBy = (answer: Parameters<typeof seenThrough>[1]) => seenThrough(play, answer, (evm) => look(start, evm))

  test('that takes short ranges only is asked for short ranges', async () => {
    const limit = async (call: Call) =>
      isLogs(call) && spanOf(call) > 20 ? { error: { code: -32005, message: 'range too large' } } : call.forward()
    expect(await seenBy(limit)).toMatchObject({ movements: (await look(start)).movements, unexplained: 0n })
  })

  test('that leaves logs out of long answers is asked again for less at a time', async () => {
    const truncate = async (call: Call) => {
      const answer = await call.forward()
      if (!isLogs(call) || spanOf(call) <= 90 || !('result' in answer)) return answer
      return { result: (answer.result as unknown[]).slice(0, 1) }
    }
    expect(await seenBy(truncate)).toMatchObject({ movements: (await look(start)).movements, unexplained: 0n })
  })

  test('that keeps a log back proves nothing', async () => {
    const withhold = async (call: Call) => {
      const answer = await call.forward()
      if (!isLogs(call) || !('result' in answer)) return answer
      return { result: (answer.result as { data: string }[]).filter(({ data }) => BigInt(data) !== 3n) }
    }
    expect((await seenBy(withhold)).unexplained).toBe(3n)
  })

  test('that shows the state of a block before the block itself proves nothing', async () => {
    let balances = 0
    const early = async (call: Call) => {
      if (call.method !== 'eth_call' || ++balances > 1) return call.forward()
      return { result: `0x${'0'.repeat(64)}` }
    }
    const seen = await seenThrough(play, early, (evm) => evm.lookAtWallet(BASE, wallet, start))
    expect(seen).toMatchObject({ kind: 'unreachable', cause: 'the node tells two balances of one block' })
  })

  test.each<[string, (call: Call) => boolean]>([
    ['fails now and then', ({ method }) => method === 'eth_getLogs'],
    ['cannot tell the balance', ({ method }) => method === 'eth_call'],
    ['cannot tell the count of transactions', ({ method }) => method === 'eth_getTransactionCount'],
  ])('that %s is unreachable', async (_what, fails) => {
    const answer = async (call: Call) => (fails(call) ? { result: null } : call.forward())
    const seen = await seenThrough(play, answer, (evm) => evm.lookAtWallet(BASE, wallet, start))
    expect(seen.kind).toBe('unreachable')
  })

  test('that is behind what was seen is unreachable; one that has other blocks is rewound', async () => {
    const ahead = { ...start, number: (await headNumber()) + 5n }
    expect((await play.evm.lookAtWallet(BASE, wallet, ahead)).kind).toBe('unreachable')
    const other = { ...start, hash: `0x${'ab'.repeat(32)}` as const }
    expect((await play.evm.lookAtWallet(BASE, wallet, other)).kind).toBe('rewound')
  })

  test('whose newest block changes under the reading is unreachable', async () => {
    let heads = 0
    const shifting = async (call: Call) => {
      const answer = await call.forward()
      if (call.method !== 'eth_getBlockByNumber' || !('result' in answer)) return answer
      const { number } = answer.result as { number: string }
      if (BigInt(number) === start.number || ++heads < 2) return answer
      return { result: { ...(answer.result as object), hash: `0x${'cd'.repeat(32)}` } }
    }
    const seen = await seenThrough(play, shifting, (evm) => evm.lookAtWallet(BASE, wallet, start))
    expect(seen).toMatchObject({ kind: 'unreachable', cause: 'the chain moved while it was read' })
  })
})

test('on the network that logs every transfer twice each counts once', async () => {
  const third = await openPlayChain('eip155:5042')
  try {
    const since = await third.evm.blockOfWallet('eip155:5042', wallet)
    if (since.kind === 'unreachable') throw new Error(since.cause)
    await third.sandbox.mint(wallet, 5n)
    expect(await third.evm.lookAtWallet('eip155:5042', wallet, since)).toMatchObject({
      movements: [{ amount: 5n, incoming: true }],
      unexplained: 0n,
    })
  } finally {
    await third.close()
  }
})
