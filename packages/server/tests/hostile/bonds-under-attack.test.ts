import { DAY, MINUTE } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { give, newBuyer, newWorker, type Player } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { askPrice, pay, signPayment } from '../support/payments.ts'
import { outcomeOf, send, signed } from '../support/raw.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from '../support/stage.ts'
import { postFree } from '../support/tasks.ts'
import { until } from '../support/until.ts'

const stage = setStage({ nodes: 2, networks: ALL_NETWORKS })
const BOND = '/v1/agents/me/claim-bond'
const WITHDRAW = `${BOND}/withdraw`
const USDC = 1_000_000n

const times = (count: number) => Array.from({ length: count }, (_, place) => place)
const budgetOf = (agent: Player) => agent.client.agents.claimBudget()

/** Pays a bond as one does: asks for the price, signs it, sends the same call again. */
async function postBond(agent: Player, slots: number) {
  const asked = await askPrice(stage, agent, BOND, { slots })
  return pay(stage, asked, await signPayment(stage, asked.terms, agent.wallet))
}

async function bonded(slots: number): Promise<Player> {
  const agent = await newWorker(stage)
  await give(stage, agent.wallet.address, '10')
  expect(outcomeOf(await postBond(agent, slots))).toBe('200')
  return agent
}

const withdraw = (agent: Player, atomic: bigint, node = 0) =>
  send(stage, signed(stage, agent, 'POST', WITHDRAW, { amount_atomic: String(atomic) }), { node })

describe('a bond is credited once', () => {
  test('however often its payment is shown at once over two nodes', async () => {
    const agent = await newWorker(stage)
    await give(stage, agent.wallet.address, '10')
    const asked = await askPrice(stage, agent, BOND, { slots: 2 })
    const payment = await signPayment(stage, asked.terms, agent.wallet)
    const calls = times(6).map((place) => {
      const request = signed(stage, agent, 'POST', BOND, { slots: 2 })
      return send(stage, request, { headers: { 'PAYMENT-SIGNATURE': payment.header }, node: place % 2 })
    })
    const outcomes = (await Promise.all(calls)).map(outcomeOf).sort()
    expect(outcomes).toEqual(['200', ...times(5).map(() => '409 authorization_reused')])
    await stage.runDue()
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '2000000', bond_slots: 2 })
    expect(await timesPaid(stage.chain(), agent.wallet.address)).toBe(1)
  })

  test('also when the agent moves on to another network while it is under way', async () => {
    const agent = await newWorker(stage)
    for (const network of [BASE, POLYGON]) await give(stage, agent.wallet.address, '10', network)
    await agent.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
    expect((await postBond(agent, 1)).body).toMatchObject({ credited_atomic: '0' })
    await agent.client.sandbox.setFaults({ facilitator: 'ok' })
    await agent.client.wallet.prove(agent.wallet, POLYGON)
    expect(outcomeOf(await postBond(agent, 2))).toBe('200')
    await stage.travel(10 * MINUTE)
    await until(
      () => budgetOf(agent),
      ({ bond_balance_atomic }) => bond_balance_atomic === '3000000',
    )
    expect(outcomeOf(await withdraw(agent, 3n * USDC))).toBe('200')
  })

  test('and paid by no wallet but the agent’s own', async () => {
    const [agent, other] = [await newWorker(stage), await newBuyer(stage)]
    const asked = await askPrice(stage, agent, BOND, { slots: 1 })
    const answer = await pay(stage, asked, await signPayment(stage, asked.terms, other.wallet))
    expect(outcomeOf(answer)).toBe('402 payment_invalid')
    expect(answer.body.reason).toBe('payer_mismatch')
  })
})

describe('a bond is taken back once', () => {
  test('however often it is asked for at once over two nodes', async () => {
    const agent = await bonded(2)
    const outcomes = (await Promise.all(times(6).map((place) => withdraw(agent, 2n * USDC, place % 2)))).map(outcomeOf)
    expect(outcomes.toSorted()).toEqual(['200', ...times(5).map(() => '409 insufficient_bond')])
    await stage.runDue()
    expect(await budgetOf(agent)).toMatchObject({ bond_balance_atomic: '0' })
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(10n * USDC)
  })

  test('and in parts never more than there is', async () => {
    const agent = await bonded(3)
    const outcomes = (await Promise.all(times(6).map((place) => withdraw(agent, USDC, place % 2)))).map(outcomeOf)
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(3)
    await stage.runDue()
    expect(await usdcOf(stage.chain(), agent.wallet.address)).toBe(10n * USDC)
  })

  test('not while it covers claims, and an expired claim is slashed or withdrawn from, never both', async () => {
    const [agent, poster] = [await bonded(1), await newBuyer(stage)]
    const task = await postFree(poster, { expires_in_days: 90 })
    await agent.client.tasks.claim(task)
    await stage.moveClocks(8 * DAY)
    const [withdrawn] = await Promise.all([withdraw(agent, USDC), stage.runDue(1)])
    await stage.runDue()
    const { bond_balance_atomic: left } = await budgetOf(agent)
    const paidBack = (await usdcOf(stage.chain(), agent.wallet.address)) - 9n * USDC
    expect(left).toBe('0')
    expect(paidBack).toBe(outcomeOf(withdrawn) === '200' ? USDC : 0n)
  })
})
