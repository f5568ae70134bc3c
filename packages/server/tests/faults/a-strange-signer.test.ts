import { MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { pausePayouts, resumePayouts } from '../../src/actions/money/switch-payouts.ts'
import { runDue } from '../../src/actions/run-due.ts'
import { unixSeconds } from '../../src/domain/instant.ts'
import type { EscrowSigner } from '../../src/ports/escrow-signer.ts'
import { newBuyer, newWallet, newWorker, type Player } from '../support/cast.ts'
import { usdcOf } from '../support/chain-calls.ts'
import { setStage } from '../support/stage.ts'
import { deliveredTask } from '../support/tasks.ts'
import { until } from '../support/until.ts'

/** Nothing happens by itself; the story does what is due, with the signer that it wants. */
const stage = setStage({ settings: { GUILDHALL_ROLE: 'api', GUILDHALL_SETTLE_IN_REQUEST_MS: '100' } })
const task = async (id: string) => (await stage.client().tasks.get(id)).task

const exitOf = async (id: string) => {
  const { store } = stage.node().service.world
  return store.transfer((await store.task(id))?.escrow?.exitId ?? '')
}

type Sign = EscrowSigner['sign']

const refused = { kind: 'refused', reason: 'not today' } as const

const strange: readonly (readonly [string, (honest: Sign) => Sign])[] = [
  ['is down', () => () => Promise.reject(new Error('the key service is away'))],
  ['refuses', () => async () => refused],
  [
    'signs another amount',
    (honest) => (intent) =>
      honest({ ...intent, authorization: { ...intent.authorization, value: intent.authorization.value - 1n } }),
  ],
  [
    'signs for another payee',
    (honest) => (intent) => honest({ ...intent, authorization: { ...intent.authorization, to: newWallet().address } }),
  ],
  [
    'signs with another key',
    () => async () => ({ kind: 'signed', signature: await newWallet().signMessage({ message: 'something' }) }),
  ],
]

/** Payouts go on when the attempt of the request is over. */
async function acceptInAPause(buyer: Player, id: string): Promise<void> {
  const { world } = stage.node().service
  await pausePayouts(world, 'until the story goes on')
  await buyer.client.tasks.accept(id)
  await until(
    () => task(id),
    ({ last_settle_error }) => last_settle_error !== null,
  )
  await resumePayouts(world)
}

test.each(strange)(
  'a payout whose signer %s waits, is never sent otherwise, and leaves once when the signer is well',
  async (_, make) => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker)
    const { world } = stage.node().service
    const honest = world.escrow
    if (!honest) throw new Error('There is no escrow key.')
    const spoilt = { ...world, escrow: { ...honest, sign: make(honest.sign) } }
    await acceptInAPause(buyer, id)
    for (let round = 0; round < 4; round++) {
      await stage.moveClocks(3 * MINUTE)
      await runDue(spoilt)
    }
    expect(await task(id)).toMatchObject({ status: 'verified', escrow: { status: 'releasing' } })
    const escrow = stage.escrow.address
    expect(await usdcOf(stage.chain(), escrow)).toBe(5_000_000n)
    expect((await exitOf(id))?.signature).toBeNull()
    await stage.travel(3 * MINUTE)
    expect(await task(id)).toMatchObject({ escrow: { status: 'released' } })
    expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(5_000_000n)
  },
)

test('what the signer refuses counts for nothing against the hourly cap', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const id = await deliveredTask(buyer, worker)
  const { world } = stage.node().service
  if (!world.escrow) throw new Error('There is no escrow key.')
  const refusing = { ...world, escrow: { ...world.escrow, sign: async () => refused } }
  const promised = () => world.store.transaction((tx) => tx.atomicPaidOut(BigInt(unixSeconds(stage.now())), ''))
  await acceptInAPause(buyer, id)
  const before = await promised()
  await runDue(refusing)
  expect(await task(id)).toMatchObject({ last_settle_error: 'not signed: not today' })
  expect(await promised()).toBe(before)
  await stage.travel(3 * MINUTE)
  expect(await task(id)).toMatchObject({ escrow: { status: 'released' } })
  expect(await promised()).toBe(before + 5_000_000n)
})
