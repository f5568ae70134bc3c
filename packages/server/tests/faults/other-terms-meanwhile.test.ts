import { generatePrivateKey } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { newBuyer, type Player } from '../support/cast.ts'
import { usdcOf } from '../support/chain-calls.ts'
import { collected } from '../support/collected.ts'
import { networksOf } from '../support/node-environment.ts'
import { type Asked, askPrice, pay, type SignedPayment, signPayment } from '../support/payments.ts'
import { outcomeOf } from '../support/raw.ts'
import { ALL_NETWORKS, BASE, type Node, POLYGON, setStage } from '../support/stage.ts'
import { aBounty, aTask } from '../support/tasks.ts'

const depths = { confirmations: 1, finality: 1 }
const stage = setStage({
  networks: ALL_NETWORKS,
  depths,
  settings: { GUILDHALL_ROLE: 'api' },
  alarms: ['the books are of another escrow wallet'],
})

let buyer: Player
let asked: Asked
let payment: SignedPayment
beforeAll(async () => {
  buyer = await newBuyer(stage)
  asked = await askPrice(stage, buyer, '/v1/tasks', { ...aTask, bounty: aBounty() })
  payment = await signPayment(stage, asked.terms, buyer.wallet)
})

const networks = (keep: (network: string) => boolean): string =>
  JSON.stringify(networksOf(stage.parts, depths).filter(({ network }) => keep(network)))

/** The price was asked before this node was started with other settings. */
async function payAt(node: Node) {
  const answer = await pay(stage, asked, payment, 1)
  await stage.stopNode(node)
  expect(await collected(stage.client().tasks.list({ creator: buyer.id, status: 'all' }))).toEqual([])
  expect(await usdcOf(stage.chain(), buyer.wallet.address)).toBe(100_000_000n)
  return answer
}

test('a payment to a former escrow wallet is refused, with the terms that hold now', async () => {
  const answer = await payAt(await stage.startNode({ GUILDHALL_ESCROW_KEY: generatePrivateKey() }))
  expect(outcomeOf(answer)).toBe('402 payment_invalid')
  expect(answer.body.reason).toBe('recipient_mismatch')
  const again = answer.body.accepts as readonly { readonly payTo: string }[]
  expect(again[0]?.payTo).not.toBe(asked.terms.payTo)
})

test('a payment on a network that is not served any more is refused, with those that are', async () => {
  const answer = await payAt(await stage.startNode({ GUILDHALL_NETWORKS: networks((network) => network !== BASE) }))
  expect(outcomeOf(answer)).toBe('409 bounty_unsupported_network')
  expect(JSON.stringify(answer.body)).toContain(POLYGON)
})

test('a payment below a minimum that was raised meanwhile is refused', async () => {
  const answer = await payAt(await stage.startNode({ GUILDHALL_MIN_BOUNTY_USDC: '6' }))
  expect(outcomeOf(answer)).toBe('400 bounty_below_minimum')
})

test('a payment is still good at a node with the terms that were asked for', async () => {
  expect(outcomeOf(await pay(stage, asked, payment))).toBe('200')
})
