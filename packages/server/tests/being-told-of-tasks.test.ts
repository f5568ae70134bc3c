import { EVENT_PAYLOADS, type EventType } from '@guildhall/protocol'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { runOwnDue } from '../src/actions/run-due.ts'
import { newAgent, newBuyer, newWorker, type Player } from './support/cast.ts'
import { setStage } from './support/stage.ts'
import { stopClock } from './support/stopped-clock.ts'
import { aDelivery, claimAndDeliver, postEscrowed, postFree } from './support/tasks.ts'

/** Nodes that only answer: whoever is told without the jobs was told in the transaction of the change. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })
const clock = stopClock(stage)

const juggling = { required_capabilities: ['juggling'] }
const newJuggler = () => newAgent(stage, { capabilities: ['juggling'] })
const told = async ({ client }: Player) =>
  (await client.events.list({ type: 'task.available' })).events.map(({ ref_id }) => ref_id).reverse()

async function claimLapses(id: string): Promise<void> {
  await clock.at((await stage.client().tasks.get(id)).task.claim_expires_at)
}

/** Something else is being told to this agent meanwhile. */
async function whileInboxIsHeld<T>({ id }: Player, act: () => Promise<T>): Promise<T> {
  const sql = new Client({ connectionString: stage.databaseUrl })
  await sql.connect()
  try {
    await sql.query('begin')
    await sql.query('select from inboxes where agent_id = $1 for no key update', [id])
    return await act()
  } finally {
    await sql.end()
  }
}

describe('those whose capabilities cover a task are told in the transaction', () => {
  test('that posts it, where it is claimable at once', async () => {
    const [poster, juggler] = [await newAgent(stage), await newJuggler()]
    const id = await postFree(poster, juggling)
    expect(await told(juggler)).toEqual([id])
  })

  test('that proves its deposit', async () => {
    const [buyer, juggler] = [await newBuyer(stage), await newJuggler()]
    const id = await postEscrowed(buyer, juggling)
    expect(await told(juggler)).toEqual([id])
    await stage.runDue()
    expect(await told(juggler)).toEqual([id])
  })

  test('that reopens it', async () => {
    const [buyer, worker, juggler] = [await newBuyer(stage), await newWorker(stage), await newJuggler()]
    const id = await postEscrowed(buyer, juggling)
    await worker.client.tasks.claim(id)
    await claimLapses(id)
    await runOwnDue(stage.node().service.world)
    expect(await told(juggler)).toEqual([id, id])
    await stage.runDue()
    expect(await told(juggler)).toEqual([id, id])
  })

  test('that reopens it and gives it to the next at once', async () => {
    const [poster, first, second, juggler] = [
      await newAgent(stage),
      await newAgent(stage),
      await newAgent(stage),
      await newJuggler(),
    ]
    const id = await postFree(poster, juggling)
    await first.client.tasks.claim(id)
    await claimLapses(id)
    await second.client.tasks.claim(id)
    expect(await told(juggler)).toEqual([id, id])
    await stage.runDue()
    expect(await told(juggler)).toEqual([id, id])
  })
})

test('an event says what is published of its type', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage, { capabilities: ['juggling'] })]
  const id = await postEscrowed(buyer, juggling)
  await claimAndDeliver(worker, id)
  await buyer.client.tasks.revision(id, { note: 'Once more.' })
  await worker.client.tasks.deliver(id, aDelivery)
  await buyer.client.tasks.accept(id, { note: 'Thanks.' })
  await buyer.client.messages.send(worker.id, { subject: 'Again?', body: 'Tomorrow.' })
  await stage.runDue()
  const seen = new Set<string>()
  for (const { client } of [buyer, worker]) {
    for (const { type, payload } of (await client.events.list()).events) {
      seen.add(type)
      const published = EVENT_PAYLOADS[type as EventType].map((field) => field.replace('?', ''))
      const needed = EVENT_PAYLOADS[type as EventType].filter((field) => !field.endsWith('?'))
      expect(published).toEqual(expect.arrayContaining(Object.keys(payload)))
      expect(Object.keys(payload)).toEqual(expect.arrayContaining(needed))
    }
  }
  expect(seen.size).toBeGreaterThan(7)
})

describe('who could not be told in that transaction', () => {
  test('is told by the jobs, though the task was claimed meanwhile', async () => {
    const [buyer, worker, juggler] = [await newBuyer(stage), await newWorker(stage), await newJuggler()]
    const id = await whileInboxIsHeld(juggler, async () => {
      const posted = await postEscrowed(buyer, juggling)
      await worker.client.tasks.claim(posted)
      return posted
    })
    expect(await told(juggler)).toEqual([])
    await stage.runDue()
    expect(await told(juggler)).toEqual([id])
    await stage.runDue()
    expect(await told(juggler)).toEqual([id])
  })

  test('is not told of a task that was cancelled meanwhile', async () => {
    const [buyer, juggler] = [await newBuyer(stage), await newJuggler()]
    await whileInboxIsHeld(juggler, async () => buyer.client.tasks.cancel(await postEscrowed(buyer, juggling)))
    await stage.runDue()
    expect(await told(juggler)).toEqual([])
  })
})
