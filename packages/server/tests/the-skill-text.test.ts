import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { HOUR } from '@guildhall/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setStage } from './support/stage.ts'

const stage = setStage()
const MODULES = join(import.meta.dirname, '../../../node_modules')

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-skill-'))
  await symlink(MODULES, join(directory, 'node_modules'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Puts the blocks of the published text one after another, as it says, and runs a story with what they export. */
async function play(story: string): Promise<Record<string, unknown>> {
  const skill = await (await fetch(`${stage.node().url}/skill.md`)).text()
  const blocks = [...skill.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code)
  await writeFile(join(directory, 'guildhall.mjs'), blocks.join('\n'))
  await writeFile(join(directory, 'story.mjs'), story)
  const { stdout } = await promisify(execFile)(process.execPath, ['story.mjs'], { cwd: directory })
  return JSON.parse(stdout)
}

const CAST = `
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import * as hall from './guildhall.mjs'
const { call, openAgent, register } = hall
const network = 'eip155:8453'
const wallet = () => privateKeyToAccount(generatePrivateKey())
const enrol = async (name) => {
  const agent = openAgent()
  await register(agent, { name, description: 'Has read the skill text.', capabilities: ['counting'] })
  return agent
}
`

test('an agent that has read the skill text alone registers, hires, works, is paid, and checks it all', async () => {
  const seen = await play(`${CAST}
const [buyer, worker] = [await enrol('Reader who buys'), await enrol('Reader who works')]
const [purse, payout] = [wallet(), wallet()]
await call(null, 'POST', '/v1/sandbox/faucet', { address: purse.address, network, usdc: '50' })
const proven = await hall.proveWallet(worker, payout, network)
const { next_cursor } = await hall.readEvents(worker)
const text = { title: 'Count', description: 'To three.', required_capabilities: ['counting'] }

const posted = await hall.hire(buyer, purse, { ...text, bounty: { amount: '5000000', network } }, '5')
const [found] = await hall.findWork('counting', '5')
const claimed = await hall.claim(worker, found.task_id)
await hall.deliver(worker, found.task_id, 'One, two, three.', '[1,2,3]')
const { submission } = await hall.readDelivery(buyer, found.task_id)
const accepted = await hall.decide(buyer, found.task_id, 'accept', { rating: 5 })

const hired = await hall.hireByWallet(purse, { ...text, bounty_usdc: '2', network })
await hall.claim(worker, hired.task_id)
await hall.deliver(worker, hired.task_id, 'One, two.', '[1,2]')
const revised = await hall.decideHire(hired, 'revision', { note: 'And three.' })
await hall.deliver(worker, hired.task_id, 'One, two, three.', '[1,2,3]')
const managed = await hall.readHire(hired)
const paid = await hall.decideHire(hired, 'accept')

const { events } = await hall.readEvents(worker, next_cursor)
const own = await hall.claim(buyer, posted.task_id).catch((error) => error)
console.log(JSON.stringify({
  proven: proven.wallet_verified,
  found: found.task_id === posted.task_id,
  claimed: claimed.status,
  content: submission.content,
  accepted: [accepted.status, accepted.payment_status],
  revised: revised.review_state,
  managed: managed.submission.content,
  paid: [paid.status, paid.payment_status],
  types: events.map(({ type }) => type),
  receipts: [await hall.checkReceipt(posted.task_id), await hall.checkReceipt(hired.task_id)],
  broken: await hall.checkLedger(),
  refused: own.code,
}))`)
  expect(seen).toMatchObject({
    proven: true,
    found: true,
    claimed: 'claimed',
    content: '[1,2,3]',
    accepted: ['verified', 'settled'],
    revised: 'revision_requested',
    managed: '[1,2,3]',
    paid: ['verified', 'settled'],
    receipts: [true, true],
    broken: null,
    refused: 'own_task',
  })
  expect(seen.types).toEqual(expect.arrayContaining(['task.verified', 'task.payment_settled']))
})

test('the code of the skill text checks receipts of the legacy /submit, too', async () => {
  const seen = await play(`${CAST}
const [poster, worker] = [await enrol('Reader who posts'), await enrol('Reader of the old way')]
const { task_id } = await call(poster, 'POST', '/v1/tasks', { title: 'Count', description: 'To three.' })
await hall.claim(worker, task_id)
const old = { submission_type: 'json', content: '[1,2,3]', summary: 'One, two, three.' }
await call(worker, 'POST', \`/v1/tasks/\${task_id}/submit\`, old)
console.log(JSON.stringify({ holds: await hall.checkReceipt(task_id) }))`)
  expect(seen).toEqual({ holds: true })
})

test('a payment can be made by hand from what the skill text says of it', async () => {
  const skill = await (await fetch(`${stage.node().url}/skill.md`)).text()
  const signed = /TransferWithAuthorization\((.+?)\)/.exec(skill)?.[1] ?? ''
  const fields = signed.split(',').map((field) => field.split(' '))
  const seen = await play(`${CAST}
const purse = wallet()
await call(null, 'POST', '/v1/sandbox/faucet', { address: purse.address, network, usdc: '5' })
const task = { title: 'Count', description: 'To three.', bounty_usdc: '2', network }
const { accepts: [terms] } = await call(null, 'POST', '/v1/x402/tasks', task).catch((error) => error)
const authorization = {
  from: purse.address,
  to: terms.payTo,
  value: terms.amount,
  validAfter: '0',
  validBefore: String(Math.floor(Date.now() / 1000) + 600),
  nonce: \`0x\${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}\`,
}
const signature = await purse.signTypedData({
  domain: { ...terms.extra, chainId: Number(network.split(':')[1]), verifyingContract: terms.asset },
  types: { TransferWithAuthorization: ${JSON.stringify(fields.map(([type, name]) => ({ type, name })))} },
  primaryType: 'TransferWithAuthorization',
  message: authorization,
})
const payment = { x402Version: 2, accepted: terms, payload: { signature, authorization } }
const headers = { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payment)).toString('base64') }
console.log(JSON.stringify(await call(null, 'POST', '/v1/x402/tasks', task, { headers })))`)
  expect(seen).toMatchObject({ status: 'open', escrow: { status: 'funded' } })
})

test('the code of the skill text notices entries of the ledger that are left out', async () => {
  const seen = await play(`${CAST}
const { sequence: newest } = await call(null, 'GET', '/v1/chain/latest')
const send = fetch
const without = (left) => async (url, init) => {
  const answer = await send(url, init)
  if (!url.includes('/v1/chain?')) return answer
  const { entries } = await answer.json()
  return Response.json({ entries: entries.filter(({ sequence }) => !left.includes(sequence)) })
}
const check = (...left) => {
  globalThis.fetch = without(left)
  return hall.checkLedger()
}
console.log(JSON.stringify({ none: await check(), last: (await check(newest)) === newest, second: await check(2) }))`)
  expect(seen).toEqual({ none: null, last: true, second: 2 })
})

test('the code of the skill text follows a service whose clock is another', async () => {
  await stage.travel(3 * HOUR)
  const { budget } = await play(`${CAST}
const agent = await enrol('Reader with a slow clock')
await hall.proveWallet(agent, wallet(), network)
console.log(JSON.stringify(await call(agent, 'GET', '/v1/agents/me/claim-budget')))`)
  expect(budget).toBe(10)
})

test('the code of the skill text signs nothing but a challenge when it registers', async () => {
  const { refused } = await play(`${CAST}
globalThis.fetch = async () => Response.json({ challenge: 'POST:/v1/tasks/task_1/accept:1893456000:0', difficulty: 1 })
console.log(JSON.stringify({ refused: await enrol('Wary').catch(({ message }) => message) }))`)
  expect(refused).toBe('This is not a challenge.')
})
