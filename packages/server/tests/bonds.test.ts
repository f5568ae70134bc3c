import { DAY, HOUR } from '@guildhall/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { give, newAgent, newBuyer, newWorker, type Player } from './support/cast.ts'
import { mine, timesPaid, usdcOf } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { askPrice, pay, readHeader, signPayment } from './support/payments.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { deployedWallet } from './support/smart-wallets.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from './support/stage.ts'
import { claimAndDeliver, postFree } from './support/tasks.ts'

const stage = setStage({ nodes: 2, networks: ALL_NETWORKS })
const BOND = '/v1/agents/me/claim-bond'
const USDC = 1_000_000n

const spoil = (facilitator: 'ok' | 'settle_reverts' | 'down') => stage.client().sandbox.setFaults({ facilitator })
afterEach(async () => void (await spoil('ok')))

const budgetOf = (agent: Player) => agent.client.agents.claimBudget()

async function bonded(slots: number): Promise<Player> {
  const agent = await newWorker(stage)
  await give(stage, agent.wallet.address, '10')
  await bondAlso(agent, slots)
  return agent
}

async function bondAlso(agent: Player, slots: number) {
  const asked = await askPrice(stage, agent, BOND, { slots })
  const answer = await pay(stage, asked, await signPayment(stage, asked.terms, agent.wallet))
  expect(outcomeOf(answer)).toBe('200')
  return answer
}

const withdraw = (agent: Player, amount_atomic: unknown) =>
  send(stage, signed(stage, agent, 'POST', `${BOND}/withdraw`, { amount_atomic }))

describe('the claim budget', () => {
  test('is 10 at first, 10 more for each delivery that a person accepted, and nothing for the timer’s', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    expect(await budgetOf(worker)).toEqual({
      agent_id: worker.id,
      budget: 10,
      active_claims: 0,
      base: 10,
      accepted_deliveries: 0,
      expired_claims: 0,
      disputes: 0,
      bond_balance_atomic: '0',
      bond_slots: 0,
    })
    const [first, second] = [await postFree(buyer), await postFree(buyer)]
    await claimAndDeliver(worker, first)
    await buyer.client.tasks.accept(first)
    expect(await budgetOf(worker)).toMatchObject({ budget: 20, accepted_deliveries: 1 })
    await claimAndDeliver(worker, second)
    await stage.travel(7 * DAY)
    expect(await budgetOf(worker)).toMatchObject({ budget: 20, accepted_deliveries: 1 })
  })

  test('loses 25 for an expired claim and for a lost dispute, down to 2', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const accepted = await Promise.all([1, 2, 3].map(() => postFree(buyer)))
    for (const id of accepted) {
      await claimAndDeliver(worker, id)
      await buyer.client.tasks.accept(id)
    }
    await worker.client.tasks.claim(await postFree(buyer))
    expect(await budgetOf(worker)).toMatchObject({ budget: 40, active_claims: 1 })
    await stage.travel(7 * DAY)
    expect(await budgetOf(worker)).toMatchObject({ budget: 15, active_claims: 0, expired_claims: 1 })
    const disputed = await postFree(buyer)
    await claimAndDeliver(worker, disputed)
    await buyer.client.tasks.dispute(disputed, { reason: 'Not what I asked for.' })
    await buyer.client.tasks.cancel(disputed)
    expect(await budgetOf(worker)).toMatchObject({ budget: 2, disputes: 1 })
  })
})

describe('a bond', () => {
  test('costs 1 USDC a slot to the escrow wallet, and is a slot more to claim with', async () => {
    const agent = await newWorker(stage)
    await give(stage, agent.wallet.address, '10')
    const asked = await askPrice(stage, agent, BOND, { slots: 3 })
    expect(asked.terms).toMatchObject({ amount: '3000000', network: BASE })
    expect(readHeader(asked.answer, 'payment-required')).toMatchObject({ x402Version: 2, accepts: [asked.terms] })
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, agent.wallet))
    expect(answer.body).toMatchObject({
      ok: true,
      credited_atomic: '3000000',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      budget: { budget: 13, bond_slots: 3, bond_balance_atomic: '3000000' },
    })
    expect(readHeader(answer, 'payment-response')).toMatchObject({ success: true })
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(7n * USDC)
  })

  test('is asked for on the wallet’s network, else on Base', async () => {
    const [elsewhere, nowhere] = [await newAgent(stage), await newAgent(stage)]
    await elsewhere.client.wallet.prove(elsewhere.wallet, POLYGON)
    expect((await askPrice(stage, elsewhere, BOND, { slots: 1 })).terms.network).toBe(POLYGON)
    expect((await askPrice(stage, nowhere, BOND, { slots: 1 })).terms.network).toBe(BASE)
  })

  test('that has left completely may begin again on another network; one that is on its way may not', async () => {
    const agent = await bonded(1)
    await give(stage, agent.wallet.address, '10', POLYGON)
    await agent.client.wallet.prove(agent.wallet, POLYGON)
    const network = async () => (await askPrice(stage, agent, BOND, { slots: 1 })).terms.network
    expect(await network()).toBe(BASE)
    await spoil('down')
    expect((await withdraw(agent, '1000000')).body).toMatchObject({ state: 'pending' })
    expect(await network()).toBe(BASE)
    await spoil('ok')
    await stage.travel(5 * 60_000)
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(10n * USDC)
    expect(await network()).toBe(POLYGON)
    await bondAlso(agent, 2)
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '2000000' })
    expect((await withdraw(agent, '2000000')).body).toMatchObject({ state: 'settled' })
    expect(await usdcOf(stage.chain(POLYGON), agent.wallet.address)).toBe(10n * USDC)
  })

  test.each([
    [1, '402 payment_required'],
    [1000, '402 payment_required'],
    [0, '400 bad_request'],
    [1001, '400 bad_request'],
    [1.5, '400 bad_request'],
    ['1', '400 bad_request'],
    [undefined, '400 bad_request'],
  ])('of %j slots: %s', async (slots, outcome) => {
    const agent = await newWorker(stage)
    expect(outcomeOf(await send(stage, signed(stage, agent, 'POST', BOND, { slots })))).toBe(outcome)
  })

  test('is credited once per authorization: 409 authorization_reused, which names no task but the bond', async () => {
    const agent = await newWorker(stage)
    await give(stage, agent.wallet.address, '10')
    const asked = await askPrice(stage, agent, BOND, { slots: 2 })
    const payment = await signPayment(stage, asked.terms, agent.wallet)
    expect(outcomeOf(await pay(stage, asked, payment))).toBe('200')
    const again = await pay(stage, asked, payment)
    expect(again.body).toMatchObject({ error: 'authorization_reused', task_id: null })
    expect(again.body.message).toMatch(/claim bond/)
    expect(again.body.message).not.toMatch(/task_id/)
  })

  test('whose settlement is unknown is credited later, once, when it is proven', async () => {
    const agent = await newWorker(stage)
    await give(stage, agent.wallet.address, '10')
    const asked = await askPrice(stage, agent, BOND, { slots: 2 })
    await spoil('settle_reverts')
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, agent.wallet))
    expect(answer.body).toMatchObject({ credited_atomic: '0', budget: { bond_slots: 0 } })
    await spoil('ok')
    await stage.travel(5 * 60_000)
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '2000000', budget: 12 })
    expect(await timesPaid(stage.chain(), agent.wallet.address)).toBe(1)
  })
})

describe('an expired claim', () => {
  test('is slashed by one slot’s worth, once, however many nodes look; the money is the house’s', async () => {
    const [agent, buyer] = [await bonded(3), await newBuyer(stage)]
    const house = async () => {
      const { networks } = await stage.client().service.reserves()
      return BigInt(networks.find(({ network }) => network === BASE)?.house_atomic ?? '0')
    }
    const before = await house()
    const ids = await Promise.all([1, 2].map(() => postFree(buyer)))
    for (const id of ids) await agent.client.tasks.claim(id)
    await stage.moveClocks(7 * DAY)
    await Promise.all([stage.runDue(0), stage.runDue(1), stage.runDue(0), stage.runDue(1)])
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '1000000', expired_claims: 2, bond_slots: 1 })
    const { events } = await agent.client.events.list({ type: 'bond.slashed' })
    expect(events.map(({ payload }) => payload.amount_atomic)).toEqual(['1000000', '1000000'])
    expect(new Set(events.map(({ ref_id }) => ref_id))).toEqual(new Set(ids))
    await stage.travel(61_000)
    expect((await house()) - before).toBe(2n * USDC)
  })

  test('is slashed before its bond is withdrawn, though no timer has come to it yet', async () => {
    const [agent, buyer] = [await bonded(1), await newBuyer(stage)]
    await agent.client.tasks.claim(await postFree(buyer))
    await stage.moveClocks(7 * DAY)
    expect(outcomeOf(await withdraw(agent, '1000000'))).toBe('409 insufficient_bond')
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '0', expired_claims: 1, active_claims: 0 })
    expect((await agent.client.events.list({ type: 'bond.slashed' })).events).toHaveLength(1)
  })

  test('costs nothing more than is there', async () => {
    const [agent, buyer] = [await bonded(1), await newBuyer(stage)]
    expect(outcomeOf(await withdraw(agent, '600000'))).toBe('200')
    await agent.client.tasks.claim(await postFree(buyer))
    await stage.travel(7 * DAY)
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '0' })
    await agent.client.tasks.claim(await postFree(buyer))
    await stage.travel(7 * DAY)
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '0', expired_claims: 2 })
  })
})

describe('a withdrawal', () => {
  test('debits the bond and pays the agent’s wallet', async () => {
    const agent = await bonded(3)
    const answer = await withdraw(agent, '2500000')
    expect(answer.body).toMatchObject({
      ok: true,
      withdrawal_id: expect.stringMatching(/^bwd_/),
      amount_atomic: '2500000',
      to: agent.wallet.address.toLowerCase(),
      state: 'settled',
    })
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '500000', bond_slots: 0, budget: 10 })
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(9_500_000n)
  })

  test('of more than there is, or to no wallet, is refused', async () => {
    const agent = await bonded(1)
    const refused = await withdraw(agent, '1000001')
    expect(outcomeOf(refused)).toBe('409 insufficient_bond')
    expect(refused.body).toMatchObject({ bond_balance_atomic: '1000000', withdrawable_atomic: '1000000' })
    await agent.client.wallet.clear()
    const homeless = await withdraw(agent, '1')
    expect(outcomeOf(homeless)).toBe('409 wallet_required')
    expect(homeless.body.message).toContain('bond')
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '1000000' })
  })

  test('to a smart wallet on another network than the bond is refused, and nothing is debited', async () => {
    const agent = await bonded(1)
    await agent.client.wallet.prove(await deployedWallet(stage.chain(POLYGON), agent.wallet), POLYGON)
    const refused = await withdraw(agent, '1000000')
    expect(outcomeOf(refused)).toBe('409 wallet_network_mismatch')
    expect(refused.body).toMatchObject({ expected: BASE, got: POLYGON })
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '1000000' })
    await agent.client.wallet.prove(agent.wallet, POLYGON)
    expect((await withdraw(agent, '1000000')).body).toMatchObject({ state: 'settled' })
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(10n * USDC)
  })

  test('of more than may be paid out at once is refused before anything is debited, and goes in parts', async () => {
    const agent = await newWorker(stage)
    await give(stage, agent.wallet.address, '2000')
    await bondAlso(agent, 1000)
    await bondAlso(agent, 1000)
    const refused = await withdraw(agent, '1000000001')
    expect(outcomeOf(refused)).toBe('400 bad_request')
    expect(refused.body.message).toBe('At most 1000.00 USDC are paid out at once: withdraw in parts.')
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '2000000000' })
    for (const part of [1, 2]) {
      expect((await withdraw(agent, '1000000000')).body).toMatchObject({ state: 'settled' })
      expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(BigInt(part) * 1000n * USDC)
    }
  })

  test('of what covers claims that are held is refused, and says how much can be withdrawn', async () => {
    const [agent, poster] = [await bonded(2), await newAgent(stage)]
    for (let count = 0; count < 11; count++) await agent.client.tasks.claim(await postFree(poster))
    const refused = await withdraw(agent, '2000000')
    expect(outcomeOf(refused)).toBe('409 insufficient_bond')
    expect(refused.body).toMatchObject({ bond_balance_atomic: '2000000', withdrawable_atomic: '1000000' })
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '2000000', active_claims: 11 })
    expect(outcomeOf(await withdraw(agent, '1000000'))).toBe('200')
  })

  test.each(['0', '01', '-1', '1.5', '', '1'.repeat(16), 1, null])('of %j is 400', async (amount) => {
    expect(outcomeOf(await withdraw(await newWorker(stage), amount))).toBe('400 bad_request')
  })

  test('that can never arrive is credited to the bond again, once, and not before the chain has proven it', async () => {
    const agent = await bonded(2)
    await spoil('settle_reverts')
    expect((await withdraw(agent, '2000000')).body).toMatchObject({ state: 'pending' })
    await stage.travel(50 * 60_000)
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '0' })
    await stage.travel(HOUR)
    await mine(stage.chain(), 3)
    await Promise.all([stage.runDue(0), stage.runDue(1)])
    await stage.travel(2 * HOUR)
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '2000000', bond_slots: 2 })
    await spoil('ok')
    await stage.travel(HOUR)
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(8n * USDC)
    expect((await withdraw(agent, '2000000')).body).toMatchObject({ state: 'settled' })
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(10n * USDC)
  })

  test('is looked for on the chain from before it was asked for, however much later it is signed', async () => {
    const agent = await bonded(2)
    await stage.runDue()
    await atDesk(stage, (desk) => desk.pausePayouts('not yet'))
    const { body } = await withdraw(agent, '1000000')
    await atDesk(stage, (desk) => desk.resumePayouts())
    const { store } = stage.node().service.world
    const [withdrawal, watch] = [await store.transfer(String(body.withdrawal_id)), await store.watch(BASE)]
    expect(withdrawal?.fromBlock).toBeGreaterThan(0n)
    expect(withdrawal?.fromBlock).toBeLessThanOrEqual(watch?.proven?.number ?? 0n)
    await stage.runDue()
  })

  test('that could not be sent at once arrives later, and is not credited again', async () => {
    const agent = await bonded(1)
    await spoil('down')
    expect((await withdraw(agent, '1000000')).body).toMatchObject({ state: 'pending' })
    await spoil('ok')
    await stage.travel(5 * 60_000)
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(10n * USDC)
    await stage.travel(3 * HOUR)
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '0' })
  })
})
