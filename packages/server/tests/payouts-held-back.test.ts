import { HOUR, SECOND } from '@guildhall/protocol'
import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDesk } from '../src/open-desk.ts'
import { newBuyer, newWorker, type Player } from './support/cast.ts'
import { timesPaid, usdcOf } from './support/chain-calls.ts'
import { setStage } from './support/stage.ts'
import { silentLog } from './support/store.ts'
import { aBounty, deliveredTask, postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage({
  nodes: 2,
  settings: { GUILDHALL_MAX_PAYOUT_USDC: '50', GUILDHALL_MAX_HOURLY_PAYOUT_USDC: '50' },
})
let buyer: Player
let worker: Player

beforeAll(async () => {
  buyer = await newBuyer(stage, { usdc: '1000' })
  worker = await newWorker(stage)
})

async function atDesk<T>(work: (desk: ReturnType<typeof openDesk>) => Promise<T>): Promise<T> {
  const desk = openDesk(stage.databaseUrl, silentLog)
  try {
    return await work(desk)
  } finally {
    await desk.close()
  }
}

const payment = async (taskId: string) => (await buyer.client.tasks.payment(taskId)).payment
const escrowWallet = async () => (await buyer.client.sandbox.info()).networks[0]?.escrow_wallet ?? ''
const payoutsOnChain = async () => timesPaid(stage.chain(), await escrowWallet())

/** Attempts that began before the switch was turned may still be at the facilitator. */
async function payoutsUnderWay(): Promise<number> {
  const sql = new Client({ connectionString: stage.databaseUrl })
  await sql.connect()
  const { rows } = await sql.query('select count(*)::int as held from transfers where lease_until is not null')
  await sql.end()
  return rows[0].held
}

describe('the kill switch', () => {
  test('halts payouts on every node but for those already sent, and never stops reads; what is queued completes when it is lifted', async () => {
    const open = await Promise.all(Array.from({ length: 12 }, () => postEscrowed(buyer, { bounty: aBounty(1) })))
    const before = await payoutsOnChain()
    const cancelling = open.map((taskId, nr) => buyer.with({ node: nr % 2 }).tasks.cancel(taskId))
    await until(payoutsOnChain, (count) => count > before)
    await atDesk((desk) => desk.pausePayouts('somebody has a look'))
    await Promise.all(cancelling)
    await until(payoutsUnderWay, (count) => count === 0)
    const left = await payoutsOnChain()
    const waiting = await deliveredTask(buyer, worker)
    const accepted = await buyer.client.tasks.accept(waiting)
    await stage.travel(10 * 60 * SECOND)
    expect(await payoutsOnChain()).toBe(left)

    expect(accepted).toMatchObject({ status: 'verified', payment_status: 'settling' })
    expect(await payment(waiting)).toMatchObject({
      status: 'settling',
      last_error: 'payouts are paused: somebody has a look',
      escrow: { status: 'releasing' },
    })
    expect((await buyer.client.service.status()).payments).toBe('enabled')
    const standing = await atDesk((desk) => desk.payouts())
    expect(standing).toMatchObject({ paused: true, reason: 'somebody has a look' })
    expect(standing.queued.count).toBe(13 - (left - before))

    await atDesk((desk) => desk.resumePayouts())
    await until(
      async () => (await atDesk((desk) => desk.payouts())).queued.count,
      (count) => count === 0,
    )
    expect(await payoutsOnChain()).toBe(before + 13)
    expect(await payment(waiting)).toMatchObject({ status: 'settled', last_error: null })
  })

  test('stops a payout that is signed and about to be sent', async () => {
    const taskId = await postEscrowed(buyer, { bounty: aBounty(1) })
    await buyer.client.sandbox.setFaults({ facilitator: 'down' })
    await buyer.client.tasks.cancel(taskId)
    await atDesk((desk) => desk.pausePayouts('in between'))
    await buyer.client.sandbox.setFaults({ facilitator: 'ok' })
    await stage.travel(5 * 60 * SECOND)
    expect(await payment(taskId)).toMatchObject({ status: 'settling', last_error: 'payouts are paused: in between' })
    await atDesk((desk) => desk.resumePayouts())
    await until(
      () => payment(taskId),
      ({ status }) => status === 'refunded',
    )
  })
})

describe('the hourly cap', () => {
  test('is kept by all nodes together: what goes beyond it is queued with the reason, not failed, and leaves within the hour', async () => {
    await stage.travel(HOUR + SECOND)
    const open = await Promise.all(Array.from({ length: 6 }, () => postEscrowed(buyer, { bounty: aBounty(10) })))
    const escrowBefore = await usdcOf(stage.chain(), await escrowWallet())
    await Promise.all(open.map((taskId, nr) => buyer.with({ node: nr % 2 }).tasks.cancel(taskId)))
    const states = await Promise.all(open.map(payment))
    expect(states.filter(({ status }) => status === 'refunded')).toHaveLength(5)
    expect(states.filter(({ status }) => status === 'settling')).toMatchObject([
      { last_error: 'the hourly cap on payouts is reached', escrow: { status: 'refunding' } },
    ])
    await stage.travel(50 * 60 * SECOND)
    expect(escrowBefore - (await usdcOf(stage.chain(), await escrowWallet()))).toBe(50_000_000n)
    await stage.travel(11 * 60 * SECOND)
    await until(
      () => Promise.all(open.map(payment)),
      (payments) => payments.every(({ status }) => status === 'refunded'),
    )
  })

  test('outlives a restart, since it is counted in the database', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => postEscrowed(buyer, { bounty: aBounty(40) })))
    await stage.travel(HOUR + SECOND)
    await buyer.client.tasks.cancel(first ?? '')
    await stage.stopNode(stage.node(1))
    await stage.stopNode(stage.node(0))
    await stage.startNode()
    await buyer.with({}).tasks.cancel(second ?? '')
    const { payment: queued } = await buyer.with({}).tasks.payment(second ?? '')
    expect(queued).toMatchObject({ status: 'settling', last_error: 'the hourly cap on payouts is reached' })
    await stage.travel(HOUR + 2 * 60 * SECOND)
    await until(
      async () => (await buyer.with({}).tasks.payment(second ?? '')).payment.status,
      (status) => status === 'refunded',
    )
  })
})
