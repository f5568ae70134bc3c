import { MINUTE } from '@guildhall/protocol'
import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { give, newBuyer, newWallet } from './support/cast.ts'
import { carryOut, STRANGER as HOUSE, sendPlainly, signTransfer } from './support/chain-calls.ts'
import { atDesk } from './support/desk.ts'
import { BASE, setStage } from './support/stage.ts'
import { postEscrowed } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage({
  alarms: ['money left the escrow wallet without a payout', 'money is missing from the escrow wallet'],
  violations: ['I1'],
})
const escrow = () => stage.escrow
const reserves = () => stage.client().service.reserves()
const difference = async () => (await reserves()).networks.find(({ network }) => network === BASE)?.difference_atomic

async function steal(atomic: bigint): Promise<void> {
  const to = newWallet().address
  const window = { validAfter: 0n, validBefore: 2n ** 40n }
  const theft = { from: escrow().address, to, value: atomic, nonce: generatePrivateKey(), ...window }
  await carryOut(stage.chain(), theft, await signTransfer(stage.chain(), escrow(), theft))
}

async function topUp(atomic: bigint): Promise<string> {
  await sendPlainly(stage.chain(), escrow().address, atomic)
  const looked = async () => {
    await stage.travel(MINUTE)
    const strays = await atDesk(stage, (desk) => desk.strays({ returned: false, limit: 10 }))
    return strays.find(({ amount }) => amount === atomic)?.id ?? ''
  }
  return until(looked, Boolean)
}

test('an operator makes up for a loss with money of the house that is promised to nobody, and payouts go on', async () => {
  const buyer = await newBuyer(stage)
  await give(stage, HOUSE, '10')
  const taskId = await postEscrowed(buyer)
  await steal(3n)
  await stage.travel(MINUTE)
  await expect.poll(difference).toBe('-3')
  await buyer.client.tasks.cancel(taskId)

  const tooMuch = await topUp(4n)
  expect(await atDesk(stage, (desk) => desk.coverLoss(tooMuch))).toMatchObject({ kind: 'not missing', missing: 3n })
  const promised = await topUp(3n)
  await atDesk(stage, (desk) => desk.returnStray(promised, null))
  expect(await atDesk(stage, (desk) => desk.coverLoss(promised))).toMatchObject({ kind: 'returned' })
  const first = await topUp(1n)
  expect(await atDesk(stage, (desk) => desk.coverLoss(first))).toMatchObject({ kind: 'covered', stillMissing: 2n })
  expect(await atDesk(stage, (desk) => desk.coverLoss(first))).toEqual({ kind: 'unknown' })
  expect(await atDesk(stage, (desk) => desk.returnStray(first, null))).toEqual({ kind: 'unknown' })
  const second = await topUp(2n)
  expect(await atDesk(stage, (desk) => desk.coverLoss(second))).toMatchObject({ kind: 'covered', stillMissing: 0n })

  await stage.travel(MINUTE)
  await expect.poll(difference).toBe('0')
  await atDesk(stage, (desk) => desk.resumePayouts())
  await until(
    async () => (await buyer.client.tasks.get(taskId)).task.payment_status,
    (status) => status === 'refunded',
  )
  await stage.travel(MINUTE)
  await expect.poll(reserves).toMatchObject({ payouts: 'running' })
  await atDesk(stage, (desk) => desk.returnStray(tooMuch, null))
  await until(difference, (atomic) => atomic === '0')
})
