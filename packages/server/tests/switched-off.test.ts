import { DAY, HOUR } from '@guildhall/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { newBuyer, newWallet, newWorker, type Player } from './support/cast.ts'
import { unsigned } from './support/hires.ts'
import { outcomeOf, type RawAnswer, send, signed } from './support/raw.ts'
import { deployedWallet } from './support/smart-wallets.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage, THIRD } from './support/stage.ts'
import { aBounty, aTask, claimAndDeliver, deliveredTask, postFree } from './support/tasks.ts'

/** Beside a node that does everything, nodes on the same database that lack something; they run no jobs. */
const stage = setStage({ networks: ALL_NETWORKS, settings: { GUILDHALL_SETTLE_IN_REQUEST_MS: '2000' } })
const NO_PAYMENTS = 1
const NO_ESCROW = 2
const BASE_ONLY = 3

let buyer: Player
let worker: Player

beforeAll(async () => {
  await stage.startNode({ GUILDHALL_ROLE: 'api', GUILDHALL_PAYMENTS: 'disabled' })
  await stage.startNode({ GUILDHALL_ROLE: 'api', GUILDHALL_ESCROW: 'disabled' })
  const [base] = stage.node().service.world.rules.networks
  const chain = stage.chain()
  const only = { network: BASE, rpc_url: chain.rpcUrl, facilitator_url: stage.parts.facilitatorUrl, usdc: base?.usdc }
  const networks = JSON.stringify([{ ...only, ...base?.domain, confirmations: 1, finality: 1 }])
  await stage.startNode({ GUILDHALL_ROLE: 'api', GUILDHALL_NETWORKS: networks })
  buyer = await newBuyer(stage)
  worker = await newWorker(stage)
})

const post = (node: number, path: string, body?: unknown): Promise<RawAnswer> =>
  send(stage, signed(stage, buyer, 'POST', path, body), { node })
const hire = (node: number, path = '/v1/x402/tasks/usd-1') => send(stage, unsigned(path, aTask), { node })
const reasonAt = async (node: number, id: string) =>
  (await stage.client({ node }).tasks.payment(id)).requirements_unavailable_reason

/** A task whose deposit came to nothing. */
async function unfundedTask(): Promise<string> {
  await buyer.client.sandbox.setFaults({ facilitator: 'settle_reverts' })
  const { task_id: id } = await buyer.client.tasks.post({ ...aTask, bounty: aBounty() })
  await stage.travel(2 * HOUR)
  await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
  expect((await stage.client().tasks.get(id)).task.escrow).toMatchObject({ status: 'unfunded' })
  return id
}

describe('where payments are not enabled', () => {
  test('status and discovery say so', async () => {
    const client = stage.client({ node: NO_PAYMENTS })
    expect(await client.service.status()).toMatchObject({ payments: 'disabled', escrow: 'disabled', networks: [] })
    expect(await client.call('hireInfo')).toMatchObject({
      escrow_available: false,
      escrow_wallet: null,
      networks: [],
    })
  })

  test('whatever costs money is 503 payments_unavailable, and free tasks go on', async () => {
    const bounty = aBounty()
    for (const escrow of [true, false, undefined])
      expect(outcomeOf(await post(NO_PAYMENTS, '/v1/tasks', { ...aTask, bounty, escrow }))).toBe(
        '503 payments_unavailable',
      )
    expect(outcomeOf(await hire(NO_PAYMENTS))).toBe('503 payments_unavailable')
    expect(outcomeOf(await hire(NO_PAYMENTS, '/v1/x402/tasks'))).toBe('503 payments_unavailable')
    expect(outcomeOf(await post(NO_PAYMENTS, '/v1/agents/me/claim-bond', { slots: 1 }))).toBe(
      '503 payments_unavailable',
    )
    expect(outcomeOf(await post(NO_PAYMENTS, '/v1/tasks', aTask))).toBe('200')
  })

  test('a declared bounty cannot be paid at acceptance, and one in escrow is promised', async () => {
    const declared = await postFree(buyer, { bounty: aBounty(), escrow: false })
    await claimAndDeliver(worker, declared)
    expect(outcomeOf(await post(NO_PAYMENTS, `/v1/tasks/${declared}/accept`))).toBe('503 payments_unavailable')
    expect(await reasonAt(NO_PAYMENTS, declared)).toBe('unsupported_network')
    const held = await deliveredTask(buyer, worker)
    const { body } = await post(NO_PAYMENTS, `/v1/tasks/${held}/accept`)
    expect(body).toMatchObject({ status: 'verified', payment_status: 'settling' })
    await stage.travel(5 * 60_000)
    expect((await stage.client().tasks.get(held)).task).toMatchObject({ payment_status: 'settled' })
  })
})

describe('where there is no escrow wallet', () => {
  test('status and discovery say so', async () => {
    const client = stage.client({ node: NO_ESCROW })
    expect(await client.service.status()).toMatchObject({ payments: 'enabled', escrow: 'disabled' })
    expect(await client.call('hireInfo')).toMatchObject({ escrow_available: false, escrow_wallet: null, networks: [] })
  })

  test('the sandbox tells its places, without a wallet', async () => {
    const { networks } = await stage.client({ node: NO_ESCROW }).sandbox.info()
    expect(networks.map(({ network, escrow_wallet }) => [network, escrow_wallet])).toEqual([
      [BASE, null],
      [POLYGON, null],
      [THIRD, null],
    ])
  })

  test('what needs it is 503 escrow_unavailable', async () => {
    const answers = [
      await post(NO_ESCROW, '/v1/tasks', { ...aTask, bounty: aBounty(), escrow: true }),
      await post(NO_ESCROW, '/v1/tasks', { ...aTask, bounty: aBounty(5, THIRD) }),
      await hire(NO_ESCROW),
      await post(NO_ESCROW, '/v1/agents/me/claim-bond', { slots: 1 }),
      await post(NO_ESCROW, `/v1/tasks/${await unfundedTask()}/fund`),
    ]
    for (const answer of answers) expect(outcomeOf(answer)).toBe('503 escrow_unavailable')
  })

  test('a bounty is declared by default', async () => {
    const { body } = await post(NO_ESCROW, '/v1/tasks', { ...aTask, bounty: aBounty() })
    expect(body).toMatchObject({ ok: true, status: 'open', payment_status: 'pending', escrow: null })
    expect(body).not.toHaveProperty('claimable')
  })
})

describe('a network that is not configured', () => {
  test('takes no bounties: 409 bounty_unsupported_network, with the networks that are', async () => {
    const answer = await post(BASE_ONLY, '/v1/tasks', { ...aTask, bounty: aBounty(5, THIRD) })
    expect(outcomeOf(answer)).toBe('409 bounty_unsupported_network')
    expect(answer.body.networks).toEqual([BASE])
    expect((await stage.client({ node: BASE_ONLY }).call('hireInfo')).networks).toEqual([BASE])
  })

  test('does not pay a bounty that was declared while it was: 409 again', async () => {
    const declared = await postFree(buyer, { bounty: aBounty(5, POLYGON), escrow: false })
    await claimAndDeliver(worker, declared)
    const answer = await post(BASE_ONLY, `/v1/tasks/${declared}/accept`)
    expect(outcomeOf(answer)).toBe('409 bounty_unsupported_network')
    expect(answer.body.networks).toEqual([BASE])
  })
})

describe('the payment view says why nothing can be signed:', () => {
  test('escrow_unavailable, and unsupported_network where the network is not served', async () => {
    const unfunded = await unfundedTask()
    expect(await reasonAt(0, unfunded)).toBeNull()
    expect(await reasonAt(NO_ESCROW, unfunded)).toBe('escrow_unavailable')
    const elsewhere = await postFree(buyer, { bounty: aBounty(5, POLYGON), escrow: false })
    expect(await reasonAt(BASE_ONLY, elsewhere)).toBe('unsupported_network')
    expect(await reasonAt(0, elsewhere)).toBe('not_claimed')
  })

  test('payee_wallet_wrong_network, when the deliverer moved to a smart wallet elsewhere', async () => {
    const mover = await newWorker(stage)
    const id = await postFree(buyer, { bounty: aBounty(5, POLYGON), escrow: false })
    await claimAndDeliver(mover, id)
    expect(await reasonAt(0, id)).toBeNull()
    await mover.client.wallet.prove(await deployedWallet(stage.chain(), newWallet()), BASE)
    const view = await stage.client().tasks.payment(id)
    expect(view).toMatchObject({
      requirements: null,
      payment_required: null,
      requirements_unavailable_reason: 'payee_wallet_wrong_network',
    })
    expect(outcomeOf(await post(0, `/v1/tasks/${id}/accept`))).toBe('409 wallet_network_mismatch')
    await stage.travel(7 * DAY)
    expect((await stage.client().tasks.get(id)).task).toMatchObject({ accepted_by: 'auto', payment_due: true })
    expect(outcomeOf(await post(0, `/v1/tasks/${id}/accept`))).toBe('409 wallet_network_mismatch')
    await mover.client.wallet.prove(newWallet(), BASE)
    expect(outcomeOf(await post(0, `/v1/tasks/${id}/accept`))).toBe('402 payment_required')
  })
})
