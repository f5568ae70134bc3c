import { tokenDomain } from '@guildhall/protocol'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  openPlayChain,
  type PlayChain,
  type SignedTransfer,
  tokenCalls,
  transferCall,
} from '../../tests/support/open-play-chain.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import { createEvmChain } from './evm-chain.ts'

const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'
const multicallAbi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable',
])
const stranger: Hex = '0x0000000000000000000000000000000000005743'

let play: PlayChain

beforeAll(async () => {
  play = await openPlayChain('eip155:8453')
})
afterEach(() => play.sandbox.failWith('ok'))
afterAll(() => play.close())

const evidence = ({ authorization }: SignedTransfer, fromBlock = 0n) => play.evm.evidence(authorization, fromBlock)
const headNumber = async () => BigInt((await play.call('eth_blockNumber')) as string)
const timeOf = async (block: bigint) => {
  const found = await play.call('eth_getBlockByNumber', `0x${block.toString(16)}`, false)
  return BigInt((found as { timestamp: string }).timestamp)
}

async function cancelCall({ authorization, payer }: SignedTransfer): Promise<Hex> {
  const { from, nonce } = authorization
  const { network, usdc, domain } = play.served
  const signature = await payer.signTypedData({
    domain: tokenDomain({ network, asset: usdc, ...domain }),
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: from, nonce },
  })
  return encodeFunctionData({ abi: tokenCalls, functionName: 'cancelAuthorization', args: [from, nonce, signature] })
}

const inOneTransaction = (callsOfToken: readonly Hex[]) => {
  const calls = callsOfToken.map((callData) => ({ target: play.served.usdc, allowFailure: false, callData }))
  return play.send(MULTICALL3, encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3', args: [calls] }))
}

describe('of an authorization the chain shows', () => {
  test('that it is unused, and the time of the newest block that is final for its amount', async () => {
    const transfer = await play.authorize()
    await play.call('evm_mine', { timestamp: Number(await timeOf(await headNumber())) + 3 })
    const head = await headNumber()
    expect(await evidence(transfer)).toEqual({ kind: 'unused', finalTime: await timeOf(head), head })
    expect(await play.evm.isUsed(transfer.authorization)).toBe(false)

    await play.call('evm_mine', { timestamp: Number(await timeOf(head)) + 5 })
    await play.call('evm_mine', { timestamp: Number(await timeOf(head)) + 9 })
    const deep = createEvmChain({ networks: [{ ...play.served, finality: 3 }], timeoutMs: 5_000 })
    const unused = { kind: 'unused', head: head + 2n }
    expect(await deep.evidence(transfer.authorization, 0n)).toEqual({ ...unused, finalTime: await timeOf(head) })
    const deeper = createEvmChain({ networks: [{ ...play.served, finality: 10_000 }], timeoutMs: 5_000 })
    expect(await deeper.evidence(transfer.authorization, 0n)).toEqual({ ...unused, finalTime: 0n })

    const large = { fromAtomic: transfer.authorization.value, finality: 3 }
    const careful = createEvmChain({ networks: [{ ...play.served, finality: 1, large }], timeoutMs: 5_000 })
    expect(await careful.evidence(transfer.authorization, 0n)).toEqual({ ...unused, finalTime: await timeOf(head) })
    const small = { ...transfer.authorization, value: large.fromAtomic - 1n }
    expect(await careful.evidence(small, 0n)).toEqual({ ...unused, finalTime: await timeOf(head + 2n) })
  })

  test('that it settled, in which transaction and how deep', async () => {
    const transfer = await play.authorize()
    const txHash = await play.settle(transfer)
    const blockNumber = await headNumber()
    const settled = { kind: 'settled', txHash, blockNumber, logIndex: 1 }
    expect(await evidence(transfer, blockNumber)).toEqual({ ...settled, confirmations: 1, head: blockNumber })
    await play.call('anvil_mine', 3)
    expect(await evidence(transfer)).toEqual({ ...settled, confirmations: 4, head: blockNumber + 3n })
    expect(await play.evm.isUsed(transfer.authorization)).toBe(true)
  })

  test('that it settled even when we began to look a little too late', async () => {
    const transfer = await play.authorize()
    const txHash = await play.settle(transfer)
    await play.call('anvil_mine', 5)
    expect(await evidence(transfer, await headNumber())).toMatchObject({ kind: 'settled', txHash })
  })

  test('that it was cancelled', async () => {
    const transfer = await play.authorize()
    const txHash = await play.send(play.served.usdc, await cancelCall(transfer))
    expect(await evidence(transfer)).toEqual({
      kind: 'spent_otherwise',
      txHash,
      confirmations: 1,
      head: await headNumber(),
    })
  })

  test('that it was cancelled, whatever else its payer paid in the same transaction', async () => {
    const transfer = await play.authorize()
    const { from, to, value } = transfer.authorization
    await play.sandbox.fundGas(from, 10n ** 18n)
    await play.call('anvil_impersonateAccount', from)
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [MULTICALL3, value] })
    await play.call('eth_sendTransaction', { from, to: play.served.usdc, data: approval })
    const payment = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, to, value] })
    const txHash = await inOneTransaction([await cancelCall(transfer), payment])
    expect(await evidence(transfer)).toEqual({
      kind: 'spent_otherwise',
      txHash,
      confirmations: 1,
      head: await headNumber(),
    })
  })

  test.each([
    ['another recipient', { to: stranger }],
    ['another amount', { value: 1n }],
  ])('that its nonce was spent on a transfer with %s', async (_, over) => {
    const transfer = await play.authorize()
    const { nonce } = transfer.authorization
    const txHash = await play.settle(await play.authorize({ nonce, ...over }, transfer.payer))
    expect(await evidence(transfer)).toEqual({
      kind: 'spent_otherwise',
      txHash,
      confirmations: 1,
      head: await headNumber(),
    })
  })

  test('each of several authorizations in one transaction for itself', async () => {
    const promised = await play.authorize()
    const { payer } = promised
    const spentElsewhere = await play.authorize({ nonce: promised.authorization.nonce, to: stranger, value: 1n }, payer)
    const sameAmount = await play.authorize({}, payer)
    const another = await play.authorize({ value: 2n })
    const txHash = await inOneTransaction([another, spentElsewhere, sameAmount].map(transferCall))
    expect(await evidence(promised)).toMatchObject({ kind: 'spent_otherwise', txHash })
    for (const settled of [sameAmount, another, spentElsewhere]) {
      expect(await evidence(settled)).toMatchObject({ kind: 'settled', txHash })
    }
  })

  test('that it is unused again after a reorganisation, and settled once it is mined anew', async () => {
    const transfer = await play.authorize()
    await play.call('anvil_mine', 1)
    await play.settle(transfer)
    expect((await evidence(transfer)).kind).toBe('settled')
    await play.call('anvil_reorg', 1, [])
    expect((await evidence(transfer)).kind).toBe('unused')
    expect(await play.evm.isUsed(transfer.authorization)).toBe(false)
    const txHash = await play.settle(transfer)
    expect(await evidence(transfer)).toMatchObject({ kind: 'settled', txHash })
  })

  test('nothing while the node cannot be reached', async () => {
    const transfer = await play.authorize()
    await play.settle(transfer)
    const { network, usdc } = play.served
    play.sandbox.failWith('down')
    const answers = [
      play.evm.evidence(transfer.authorization, 0n),
      play.evm.isUsed(transfer.authorization),
      play.evm.head(network),
      play.evm.balanceOf(network, usdc),
      play.evm.checkNetwork(network, null),
    ]
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ kind: 'unreachable' })
    play.sandbox.failWith('ok')
    expect((await evidence(transfer)).kind).toBe('settled')
  })

  test('nothing of a network that is not served', async () => {
    const transfer = await play.authorize({ network: 'eip155:1' })
    expect((await evidence(transfer)).kind).toBe('unreachable')
  })
})

test('a node tells its head and the balances of its newest block', async () => {
  const { payer } = await play.authorize()
  const head = await play.evm.head(play.served.network)
  const number = await headNumber()
  expect(head).toEqual({ kind: 'head', number })
  const balance = await play.evm.balanceOf(play.served.network, payer.address)
  expect(balance).toEqual({ kind: 'balance', atomic: 10_000_000n, block: number })
})

test('on network 5042 a transfer that is logged twice counts once, by the token’s own log', async () => {
  const third = await openPlayChain('eip155:5042')
  try {
    const transfer = await third.authorize()
    const txHash = await third.settle(transfer)
    const receipt = (await third.call('eth_getTransactionReceipt', txHash)) as { logs: { address: string }[] }
    expect(new Set(receipt.logs.map(({ address }) => address)).size).toBe(2)
    expect(await third.evm.evidence(transfer.authorization, 0n)).toMatchObject({ kind: 'settled', txHash })

    const promised = await third.authorize()
    const mirrored = { value: promised.authorization.value * 10n ** 12n }
    expect((await third.evm.evidence({ ...transfer.authorization, ...mirrored }, 0n)).kind).toBe('spent_otherwise')
  } finally {
    await third.close()
  }
})
