import { DAY } from '@guildhall/protocol'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { watchWallets } from '../../src/actions/custody/watch-wallets.ts'
import { keepSettledDays } from '../../src/actions/feed/keep-settled-days.ts'
import { expireMessages } from '../../src/actions/inbox/expire-messages.ts'
import { pushEvents } from '../../src/actions/inbox/push-events.ts'
import { sendMails } from '../../src/actions/mail/send-mails.ts'
import { settleTransfer } from '../../src/actions/money/settle-transfer.ts'
import { refreshTrust } from '../../src/actions/reputation/refresh-trust.ts'
import { runDue, runOwnDue, testDue } from '../../src/actions/run-due.ts'
import { remindOfReviews } from '../../src/actions/tasks/remind-of-reviews.ts'
import type { World } from '../../src/ports/world.ts'
import { newWorker, type Player } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { collected } from '../support/collected.ts'
import { atDesk } from '../support/desk.ts'
import { fallingDue, toldOf } from '../support/falling-due.ts'
import { mailsTo } from '../support/owners.ts'
import { setStage } from '../support/stage.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

/** Nothing happens by itself: every job is run by the story, on both nodes, and all at once. */
const stage = setStage({ nodes: 2, settings: { GUILDHALL_ROLE: 'api', GUILDHALL_POOL_SIZE: '40' } })

type Job = (world: World) => Promise<unknown>

/** Each kind of work that nodes do by themselves. */
const JOBS: readonly Job[] = [
  runOwnDue,
  runDue,
  testDue,
  expireMessages,
  sendMails,
  remindOfReviews,
  refreshTrust,
  watchWallets,
  keepSettledDays,
  (world) => world.ledger.sealPending(),
]

async function transferIds(): Promise<readonly string[]> {
  const sql = new Client({ connectionString: stage.databaseUrl })
  await sql.connect()
  try {
    return (await sql.query<{ id: string }>('select id from transfers order by id')).rows.map(({ id }) => id)
  } finally {
    await sql.end()
  }
}

/** Every job, every transfer and every webhook, due or not: on both nodes at once and in opposite orders, and then again. */
async function everythingTwice(listener: Player): Promise<void> {
  const each: readonly Job[] = [
    ...JOBS,
    ...(await transferIds()).map(
      (id): Job =>
        (world) =>
          settleTransfer(world, id),
    ),
    (world) => pushEvents(world, listener.id),
  ]
  const [one, other] = [stage.node(0).service.world, stage.node(1).service.world]
  for (const round of [each, each.toReversed()]) {
    await Promise.all([...round.map((job) => job(one)), ...round.toReversed().map((job) => job(other))])
  }
}

test('whatever is done twice, by two nodes and in any order, has its effect once', async () => {
  const receiver = await webhookReceiver()
  const worker = await newWorker(stage)
  await worker.client.agents.update({ webhook_url: receiver.url })
  const { buyer, idler, person, delivered, expiring, claimed, reviewed } = await fallingDue(stage, worker, 3)

  for (const days of [5.5, 2, 1, 0.1]) {
    await stage.moveClocks(days * DAY)
    await everythingTwice(worker)
  }

  expect(await timesPaid(stage.chain(), stage.escrow.address)).toBe(6)
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(6_000_000n)
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(188_000_000n)
  expect(await toldOf(worker, 'task.verified')).toEqual([...delivered, reviewed].toSorted())
  expect(await toldOf(buyer, 'task.expired')).toEqual(expiring.toSorted())
  expect(await toldOf(idler, 'task.claim_expired')).toEqual(claimed.toSorted())
  const strays = await atDesk(stage, (desk) => desk.strays({ returned: false, limit: 10 }))
  expect(strays.map(({ amount }) => amount)).toEqual([3_000_000n])
  const subjects = (await mailsTo(stage, person.email)).map(({ subject }) => subject)
  expect(subjects.length).toBeGreaterThan(0)
  expect(subjects.toSorted()).toEqual([...new Set(subjects)].toSorted())
  const inbox = await collected(worker.client.events.iterate({ after: '0' }))
  expect(receiver.events.map(({ id }) => id)).toEqual(inbox.slice(-receiver.events.length).map(({ id }) => id))
  expect(receiver.events.length).toBeGreaterThan(3)
})
