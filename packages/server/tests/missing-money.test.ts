import { MINUTE } from '@guildhall/protocol'
import { encodeFunctionData, erc20Abi } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { newBuyer, newWallet, newWorker, type Player } from './support/cast.ts'
import { carryOut, mine, rpc, signTransfer, usdcOf } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { BASE, setStage } from './support/stage.ts'
import { deliveredTask, postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage({
  nodes: 2,
  alarms: [
    'money left the escrow wallet without a payout',
    'money is missing from the escrow wallet',
    'the escrow wallet has sent a transaction by itself',
    'the chain took blocks back that were to stay',
  ],
})
let buyer: Player
let worker: Player
const escrow = () => stage.escrow

beforeAll(async () => {
  buyer = await newBuyer(stage)
  worker = await newWorker(stage)
})

async function nextLook(): Promise<void> {
  await stage.travel(MINUTE)
  await until(
    async () => (await stage.node().service.world.store.watches()).map(({ lookAt }) => lookAt),
    (times) => times.every((time) => time > stage.now()),
  )
}

const reserves = () => stage.client().service.reserves()
const onBase = async () => (await reserves()).networks.find(({ network }) => network === BASE)
const alarmsOf = (message: string) => stage.alarms.filter((alarm) => alarm.startsWith(message)).length

/** What happens to the chain in `work` is taken back afterwards, as if it had never been. */
async function inAnotherWorld(work: () => Promise<void>): Promise<void> {
  const snapshot = await rpc(stage.chain(), 'evm_snapshot')
  try {
    await work()
  } finally {
    await rpc(stage.chain(), 'evm_revert', snapshot)
    await mine(stage.chain(), 50)
  }
  await nextLook()
  await until(onBase, (base) => base?.difference_atomic === '0')
  await atDesk(stage, (desk) => desk.resumePayouts())
}

/** The key was stolen, and somebody pays himself with it. */
async function steal(atomic: bigint): Promise<void> {
  const theft = {
    from: escrow().address,
    to: newWallet().address,
    value: atomic,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce: generatePrivateKey(),
  }
  await carryOut(stage.chain(), theft, await signTransfer(stage.chain(), escrow(), theft))
}

test('a shortfall stops payouts, raises an alarm once and is there for all to see; nobody is paid from others’ money', async () => {
  const [first, second] = [await deliveredTask(buyer, worker), await deliveredTask(buyer, worker)]
  await nextLook()
  expect(await reserves()).toMatchObject({ payouts: 'running', pause_reason: null })
  await inAnotherWorld(async () => {
    await steal(1n)
    await nextLook()
    const told = await reserves()
    expect(told.payouts).toBe('paused')
    expect(told.pause_reason).toContain('left the escrow wallet on eip155:8453')
    expect(await onBase()).toMatchObject({
      difference_atomic: '-1',
      liabilities_atomic: '10000000',
      balance_atomic: '9999999',
    })
    const before = await usdcOf(stage.chain(), worker.wallet.address)
    await buyer.client.tasks.accept(first)
    await nextLook()
    await nextLook()
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(before)
    expect((await buyer.client.tasks.payment(first)).payment).toMatchObject({
      status: 'settling',
      last_error: expect.stringContaining('payouts are paused'),
    })
    expect(alarmsOf('money left the escrow wallet without a payout')).toBe(1)
    expect(alarmsOf('money is missing from the escrow wallet')).toBe(1)
  })
  await until(
    async () => (await buyer.client.tasks.payment(first)).payment.status,
    (status) => status === 'settled',
  )
  await buyer.client.tasks.accept(second)
})

test('nobody is paid from a wallet that holds too little, even before the watch has looked', async () => {
  const task = await deliveredTask(buyer, worker)
  await nextLook()
  await inAnotherWorld(async () => {
    const before = await usdcOf(stage.chain(), worker.wallet.address)
    await steal(1n)
    await buyer.client.tasks.accept(task)
    const { payment } = await until(
      () => buyer.client.tasks.payment(task),
      ({ payment }) => payment.last_error !== null,
    )
    expect(payment).toMatchObject({ last_error: 'the escrow wallet holds less than the books say' })
    expect((await reserves()).payouts).toBe('running')
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(before)
    await nextLook()
    expect((await reserves()).payouts).toBe('paused')
  })
  await until(
    async () => (await buyer.client.tasks.payment(task)).payment.status,
    (status) => status === 'settled',
  )
})

test('an escrow wallet that sends a transaction by itself raises an alarm, and payouts that are let go on are paused again', async () => {
  await postEscrowed(buyer)
  const chain = stage.chain()
  await inAnotherWorld(async () => {
    await rpc(chain, 'anvil_impersonateAccount', escrow().address)
    await chain.fundGas(escrow().address, 10n ** 18n)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [newWallet().address, 5n] })
    await rpc(chain, 'eth_sendTransaction', { from: escrow().address, to: chain.usdc, data })
    await nextLook()
    await nextLook()
    expect(alarmsOf('the escrow wallet has sent a transaction by itself')).toBe(1)
    expect(await onBase()).toMatchObject({ difference_atomic: '-5' })
    await atDesk(stage, (desk) => desk.resumePayouts())
    await nextLook()
    expect((await reserves()).pause_reason).toContain('0.000005 USDC less than the books say')
    await rpc(chain, 'anvil_stopImpersonatingAccount', escrow().address)
  })
})

test('a balance that shrinks without a log is missing all the same, and the cursor stays where it was', async () => {
  await nextLook()
  const before = await onBase()
  await inAnotherWorld(async () => {
    const slot = await balanceSlot()
    const balance = BigInt((await onBase())?.balance_atomic ?? 0)
    await rpc(stage.chain(), 'anvil_setStorageAt', stage.chain().usdc, slot, word(balance - 3n))
    await nextLook()
    expect(await onBase()).toMatchObject({ difference_atomic: '-3', reconciled_block: before?.reconciled_block })
    expect((await reserves()).pause_reason).toContain('0.000003 USDC less')
  })
})

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

/** Where the token keeps the balance of the escrow wallet. */
async function balanceSlot(): Promise<string> {
  const { encodeAbiParameters, keccak256 } = await import('viem')
  for (let slot = 0n; slot < 20n; slot++) {
    const place = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [escrow().address, slot]))
    const stored = await rpc<string>(stage.chain(), 'eth_getStorageAt', stage.chain().usdc, place, 'latest')
    if (BigInt(stored) === (await usdcOf(stage.chain(), escrow().address))) return place
  }
  throw new Error('The balances are nowhere.')
}
