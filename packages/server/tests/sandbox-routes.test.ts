import { expect, test } from 'vitest'
import { newBuyer } from './support/cast.ts'
import { askPrice, pay, signPayment } from './support/payments.ts'
import { outcomeOf } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { BASE, setStage } from './support/stage.ts'
import { aBounty, aTask } from './support/tasks.ts'
import { until } from './support/until.ts'

const stage = setStage()
const withBounty = { ...aTask, bounty: aBounty() }

test('the sandbox shows the faults that are in force: one for a single call is over after it', async () => {
  const { sandbox } = stage.client()
  const buyer = await newBuyer(stage)
  const asked = await askPrice(stage, buyer, '/v1/tasks', withBounty)
  const payment = await signPayment(stage, asked.terms, buyer.wallet)
  expect(await sandbox.setFaults({ facilitator: 'down', times: 1 })).toMatchObject({ facilitator: 'down', rpc: 'ok' })
  expect(await sandbox.setFaults({})).toMatchObject({ facilitator: 'down', rpc: 'ok' })
  expect(outcomeOf(await pay(stage, asked, payment))).toBe('503 facilitator_unavailable')
  await until(
    () => sandbox.setFaults({}),
    ({ facilitator }) => facilitator === 'ok',
  )
  expect((await pay(stage, asked, payment)).status).toBe(200)
  expect(await sandbox.setFaults({ rpc: 'down' })).toMatchObject({ facilitator: 'ok', rpc: 'down' })
  expect(await sandbox.setFaults({ rpc: 'ok' })).toMatchObject({ facilitator: 'ok', rpc: 'ok' })
})

test('the faucet says how much it mints at once', async () => {
  const { address } = (await newBuyer(stage)).wallet
  const mint = (usdc: string | number) => stage.client().sandbox.faucet({ address, network: BASE, usdc })
  for (const usdc of [1e9, '1000000000', 0, '0', -1, '0.0000001', 1e-7, 'a lot']) {
    const { fields } = await refusalOf(mint(usdc), 'bad_request')
    expect(fields.issues).toEqual([{ path: 'usdc', message: expect.stringContaining('999999999.999999') }])
  }
  expect(await mint('999999999.999999')).toMatchObject({ balance_usdc: '1000000099.999999' })
})

test('the faucet takes an address in any letter case', async () => {
  const { address } = (await newBuyer(stage)).wallet
  const { faucet } = stage.client().sandbox
  const spellings = [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]
  for (const spelled of spellings) await faucet({ address: spelled, network: BASE, usdc: 1 })
  expect(await faucet({ address, network: BASE, usdc: 1 })).toMatchObject({ balance_usdc: '103.00' })
})

test('token and escrow wallet are written alike in the sandbox and in terms of payment', async () => {
  const { networks } = await stage.client().sandbox.info()
  const { terms } = await askPrice(stage, await newBuyer(stage), '/v1/tasks', withBounty)
  const place = networks.find(({ network }) => network === terms.network)
  expect([place?.usdc, place?.escrow_wallet]).toEqual([terms.asset, terms.payTo])
})
