import { MINUTE } from '@guildhall/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordPayment } from '../src/actions/money/record-payment.ts'
import { settleTransfer } from '../src/actions/money/settle-transfer.ts'
import { give, newBuyer, newWallet, type Player } from './support/cast.ts'
import { carryOut, mine, STRANGER, sendPlainly, usdcOf } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { askPrice, pay, type SignedPayment, signPayment } from './support/payments.ts'
import { outcomeOf } from './support/raw.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage, THIRD } from './support/stage.ts'
import { aBounty, aTask, postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage({ nodes: 2, networks: ALL_NETWORKS })
let buyer: Player
let escrow: `0x${string}`

beforeAll(async () => {
  buyer = await newBuyer(stage)
  const { networks } = await stage.client().sandbox.info()
  escrow = networks[0]?.escrow_wallet as `0x${string}`
  for (const network of [BASE, POLYGON, THIRD]) await give(stage, STRANGER, '100', network)
})

const strayIn = (atomic: bigint, network = BASE) => sendPlainly(stage.chain(network), escrow, atomic)

const strays = (returned = false) => atDesk(stage, (desk) => desk.strays({ returned, limit: 100 }))

/** A look is due every minute. */
async function nextLook(): Promise<void> {
  await stage.travel(MINUTE)
  await until(
    async () => (await stage.node().service.world.store.watches()).map(({ lookAt }) => lookAt),
    (times) => times.every((time) => time > stage.now()),
  )
}

const reserves = async (network = BASE) =>
  (await stage.client().service.reserves()).networks.find((one) => one.network === network)

describe('money that comes unasked', () => {
  test('is booked to suspense, once, on whatever network it comes', async () => {
    const sent = new Map<string, string>()
    for (const network of [BASE, POLYGON, THIRD]) sent.set(network, await strayIn(7n, network))
    await nextLook()
    await nextLook()
    const found = await strays()
    expect(
      found.map(({ network, txHash, counterparty, amount }) => ({ network, txHash, counterparty, amount })),
    ).toEqual(
      expect.arrayContaining(
        [...sent].map(([network, txHash]) => ({ network, txHash, counterparty: STRANGER, amount: 7n })),
      ),
    )
    expect(found).toHaveLength(3)
    for (const network of [BASE, POLYGON, THIRD]) {
      expect(await reserves(network)).toMatchObject({
        liabilities_atomic: '7',
        balance_atomic: '7',
        difference_atomic: '0',
      })
    }
  })

  test('is told apart from payments that came at the same time', async () => {
    await Promise.all([strayIn(1n), postEscrowed(buyer), strayIn(1n), postEscrowed(buyer), strayIn(2n)])
    await nextLook()
    expect((await strays()).map(({ amount }) => amount).sort()).toEqual([1n, 1n, 2n, 7n, 7n, 7n])
    expect(await reserves()).toMatchObject({ liabilities_atomic: '10000011', balance_atomic: '10000011' })
  })

  test('counts for nothing when it is nothing, or goes to somebody else', async () => {
    await strayIn(0n)
    await sendPlainly(stage.chain(), newWallet().address, 5n)
    await nextLook()
    expect(await strays()).toHaveLength(6)
  })

  test('goes back to its sender once, when an operator says so', async () => {
    const [stray] = (await strays()).filter(({ amount }) => amount === 2n)
    const before = await usdcOf(stage.chain(), STRANGER)
    const asked = await Promise.all([1, 2].map(() => atDesk(stage, (desk) => desk.returnStray(stray?.id ?? '', null))))
    expect(asked.map(({ kind }) => kind).sort()).toEqual(['intended', 'returned'])
    const returned = await until(
      async () => (await strays(true)).find(({ id }) => id === stray?.id)?.returned,
      (back) => back?.state === 'settled',
    )
    expect(returned?.txHash).toMatch(/^0x/)
    expect(await usdcOf(stage.chain(), STRANGER)).toBe(before + 2n)
    expect(await strays()).toHaveLength(5)
    expect(await atDesk(stage, (desk) => desk.returnStray('str_unknown', null))).toEqual({ kind: 'unknown' })
    expect(await reserves()).toMatchObject({ liabilities_atomic: '10000009', balance_atomic: '10000009' })
  })

  test('from nobody goes where the operator says, but never to us or to a token', async () => {
    await stage.chain().mint(escrow, 3n)
    await nextLook()
    const [stray] = (await strays()).filter(({ amount }) => amount === 3n)
    expect((await atDesk(stage, (desk) => desk.returnStray(stray?.id ?? '', null))).kind).toBe('no sender')
    for (const lost of [escrow, stage.chain().usdc, stage.chain(POLYGON).usdc, `0x${'1'.padStart(40, '0')}`] as const) {
      const refused = await atDesk(stage, (desk) => desk.returnStray(stray?.id ?? '', lost))
      expect(refused.kind).toBe('our own address')
    }
    const { address } = newWallet()
    expect((await atDesk(stage, (desk) => desk.returnStray(stray?.id ?? '', address))).kind).toBe('intended')
    await until(
      () => usdcOf(stage.chain(), address),
      (balance) => balance === 3n,
    )
  })
})

describe('an authorization that was already used on chain when it is first shown', () => {
  test('credits nobody, and its money is in suspense for its payer', async () => {
    const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty() })
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    await carryOut(stage.chain(), payment.authorization, payment.signature)
    const refused = await pay(stage, asked, payment)
    expect(outcomeOf(refused)).toBe('402 payment_invalid')
    expect(refused.body.reason).toBe('already_used')
    await nextLook()
    const [stray] = (await strays()).filter(({ amount }) => amount === 5_000_000n)
    expect(stray?.counterparty).toBe(buyer.wallet.address.toLowerCase())
    const before = await usdcOf(stage.chain(), buyer.wallet.address)
    await atDesk(stage, (desk) => desk.returnStray(stray?.id ?? '', null))
    await until(
      () => usdcOf(stage.chain(), buyer.wallet.address),
      (balance) => balance === before + 5_000_000n,
    )
  })

  test('that the payer himself carries out while it is being taken funds its task, and is no stray', async () => {
    const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty() })
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    const before = (await strays()).length
    await stage.client().sandbox.setFaults({ facilitator: 'settle_reverts' })
    const [answer] = await Promise.all([pay(stage, asked, payment), nextLook()])
    await carryOut(stage.chain(), payment.authorization, payment.signature)
    await nextLook()
    await stage.client().sandbox.setFaults({ facilitator: 'ok' })
    const taskId = String(answer.body.task_id)
    await until(
      async () => (await buyer.client.tasks.get(taskId)).task.escrow?.status,
      (status) => status === 'funded',
    )
    await nextLook()
    expect(await strays()).toHaveLength(before)
    expect(await reserves()).toMatchObject({ difference_atomic: '0' })
  })

  /** As if the node had shown us an older block when the authorization was taken. */
  async function recordLate(payment: SignedPayment): Promise<string> {
    const { world } = stage.node().service
    const authorization = {
      ...payment.authorization,
      network: BASE,
      asset: stage.chain().usdc.toLowerCase() as `0x${string}`,
      from: buyer.wallet.address.toLowerCase() as `0x${string}`,
      to: escrow,
    }
    const taken = { authorization, signature: payment.signature, fromBlock: 1n }
    const { id } = await world.store.transaction((tx) =>
      recordPayment(world, tx, taken, { purpose: 'bond', taskId: null, agentId: buyer.id }),
    )
    await settleTransfer(world, id)
    return (await world.store.transfer(id))?.state ?? 'gone'
  }

  async function strayPayment(usdc: number) {
    const asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty(usdc) })
    const payment = await signPayment(stage, asked.terms, buyer.wallet)
    await carryOut(stage.chain(), payment.authorization, payment.signature)
    await nextLook()
    const stray = (await strays()).find(({ amount }) => amount === BigInt(usdc) * 1_000_000n)
    return { payment, strayId: stray?.id ?? '' }
  }

  test('becomes the payment that it is, when it was booked as a stray a moment too early', async () => {
    const { payment, strayId } = await strayPayment(4)
    const before = await reserves()
    expect(await recordLate(payment)).toBe('settled')
    expect((await strays(true)).map(({ id }) => id)).not.toContain(strayId)
    expect((await buyer.client.agents.claimBudget()).bond_balance_atomic).toBe('4000000')
    await nextLook()
    expect(await reserves()).toMatchObject({ liabilities_atomic: before?.liabilities_atomic, difference_atomic: '0' })
  })

  test('pays for nothing any more, once it was sent back', async () => {
    const { payment, strayId } = await strayPayment(3)
    await atDesk(stage, (desk) => desk.returnStray(strayId, null))
    expect(await recordLate(payment)).toBe('dead')
    expect((await buyer.client.agents.claimBudget()).bond_balance_atomic).toBe('4000000')
    await until(
      async () => (await strays(true)).find(({ id }) => id === strayId)?.returned?.state,
      (state) => state === 'settled',
    )
  })
})

test('the cursor goes over times when the chain could not be read, without a gap', async () => {
  const before = (await strays()).length
  await strayIn(11n)
  await stage.client().sandbox.setFaults({ rpc: 'down' })
  await nextLook()
  await strayIn(12n)
  await mine(stage.chain(), 100)
  await strayIn(13n)
  await nextLook()
  expect(await strays()).toHaveLength(before)
  await stage.client().sandbox.setFaults({ rpc: 'ok' })
  await nextLook()
  expect((await strays()).map(({ amount }) => amount)).toEqual(expect.arrayContaining([11n, 12n, 13n]))
  expect(await strays()).toHaveLength(before + 3)
})
