import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { seeded } from '../hostile/seeded.ts'
import { newBuyer, newWorker } from '../support/cast.ts'
import { timesPaid, usdcOf } from '../support/chain-calls.ts'
import { collected } from '../support/collected.ts'
import { askPrice, signPayment } from '../support/payments.ts'
import { outcomeOf, type RawRequest, send, signed } from '../support/raw.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, aDelivery, aTask } from '../support/tasks.ts'
import { pauseMs } from '../support/until.ts'

const stage = setStage({ settings: { GUILDHALL_ROLE: 'api' } })
const LEASE_IS_OVER = 20_000
const SEED = 7
const ROUNDS = 15
const AFTER_ALL = 0.4
const LONGEST_WAIT_MS = 30

const random = seeded(SEED)

/** Sends a request up to any of its bytes, or all of it without staying for the answer, and resets the connection. */
async function sendAndHangUp({ method, path, headers, body }: RawRequest, more: Readonly<Record<string, string>> = {}) {
  const { host, hostname, port } = new URL(stage.node().url)
  const text = body ?? ''
  const all = { Host: host, 'Content-Length': String(Buffer.byteLength(text)), ...headers, ...more }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`)
  const isWhole = random() < AFTER_ALL
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  await new Promise<void>((resolve) => {
    socket.write(isWhole ? bytes : bytes.subarray(0, Math.floor(random() * bytes.length)), () => resolve())
  })
  await pauseMs(random() * LONGEST_WAIT_MS)
  socket.resetAndDestroy()
}

test(`callers that hang up at any moment leave nothing half done (seed ${SEED})`, async () => {
  const [buyer, worker] = [await newBuyer(stage, { usdc: '500' }), await newWorker(stage)]
  const tasks = () => collected(stage.client().tasks.list({ creator: buyer.id, status: 'all' }))
  const post = signed(stage, buyer, 'POST', '/v1/tasks', aTask)
  const titles: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const body = { ...aTask, title: `Count to ${round}`, bounty: aBounty(1) }
    const { request, terms } = await askPrice(stage, buyer, '/v1/tasks', body)
    const { header } = await signPayment(stage, terms, buyer.wallet)
    await sendAndHangUp(request, { 'PAYMENT-SIGNATURE': header })
    // Whoever has hung up and asks again: once is once.
    const again = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header } })
    expect(['200', '409 authorization_reused']).toContain(outcomeOf(again))
    titles.push(body.title)
    await sendAndHangUp(post)
  }
  await stage.travel(LEASE_IS_OVER)
  const paid = (await tasks()).filter(({ bounty }) => bounty !== null)
  expect(paid.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
  expect(paid.every(({ escrow }) => escrow?.status === 'funded')).toBe(true)
  expect(await timesPaid(stage.chain(), buyer.wallet.address)).toBe(ROUNDS)
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(BigInt(500 - ROUNDS) * 1_000_000n)
  expect((await tasks()).filter(({ bounty }) => bounty === null).length).toBeLessThanOrEqual(1)

  for (const { task_id: id } of paid.slice(0, 5)) {
    const claim = signed(stage, worker, 'POST', `/v1/tasks/${id}/claim`)
    await sendAndHangUp(claim)
    expect(['200', '401 signature_replayed', '409 conflict']).toContain(outcomeOf(await send(stage, claim)))
    const deliver = signed(stage, worker, 'POST', `/v1/tasks/${id}/deliver`, aDelivery)
    await sendAndHangUp(deliver)
    expect(['200', '401 signature_replayed']).toContain(outcomeOf(await send(stage, deliver)))
    expect((await stage.client().tasks.receipts(id)).length).toBe(1)
  }
  expect((await fetch(`${stage.node().url}/v1/health`)).status).toBe(200)
})
