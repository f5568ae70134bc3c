import { HOUR } from '@guildhall/protocol'
import { beforeEach, expect, test } from 'vitest'
import { NOW, sampleAuthorization, sampleTransfer } from '../../../tests/support/samples.ts'
import { stillWorld } from '../../../tests/support/still-world.ts'
import { storeBench } from '../../../tests/support/store.ts'
import { createRandom } from '../../create-random.ts'
import { settledMovement } from '../../domain/custody/settled-movement.ts'
import type { Store, Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { applySettlement } from '../money/apply-settlement.ts'
import { bookLook } from './book-look.ts'
import type { SeenWallet } from './seen-wallet.ts'

const network = 'eip155:8453'
const wallet = '0x00000000000000000000000000000000000e5c40'
const hash = `0x${'1'.repeat(64)}` as const
const bench = storeBench()

/** A look that found nothing new up to this block. */
const seen = (block: bigint, balance = 0n, since = 1n): SeenWallet => ({
  kind: 'look',
  head: block,
  headHash: hash,
  final: block,
  movements: [],
  unexplained: 0n,
  transactions: 0n,
  since: { number: since, hash, balance },
  upTo: { number: block, hash, balance },
  carriedOut: new Map(),
})

let now = NOW
const world = (): World => ({ ...stillWorld(bench.store), clock: { now: () => now }, random: createRandom() })

async function lease() {
  now += 1_000
  const watch = await bench.store.transaction((tx) => tx.leaseWatch(network, now + HOUR, now))
  if (!watch) throw new Error('Somebody else looks.')
  return watch
}

beforeEach(async () => {
  await bench.sql.query('delete from wallet_watches')
  await bench.store.transaction((tx) => tx.openWatch({ network, wallet, asset: wallet, lookAt: now }))
})

test('only whoever looked last moves the cursor, so that a slow look does not set it back', async () => {
  const [slow, quick] = [await lease(), await lease()]
  const proven = async () => (await bench.store.watch(network))?.proven?.number
  await bookLook(world(), quick, seen(20n))
  expect(await proven()).toBe(20n)
  await bookLook(world(), slow, seen(10n))
  expect(await proven()).toBe(20n)
})

test('a payment that was in the wallet before the first look, and on record only after it or during another, is booked once', async () => {
  /** Records a payment from the block before the watch began. */
  async function recordEarly(value: bigint) {
    const transfer = sampleTransfer({ authorization: sampleAuthorization({ network, to: wallet, value }) })
    const place = { txHash: `0x${String(value).padStart(64, '2')}`, logIndex: 1, blockNumber: 9n } as const
    const evidence = { ...place, kind: 'settled', confirmations: 99, head: 99n } as const
    await bench.store.transaction(async (tx) => {
      await tx.insertTransfer(transfer)
      const one = { transfer, task: null, evidence, hint: null }
      await applySettlement(world(), tx, one, evidence, { mature: true, final: true })
    })
    return settledMovement(transfer, place)
  }
  /** The next look, which is sure to be due, comes after it. */
  async function payEarly(value: bigint) {
    const movement = await recordEarly(value)
    await bookLook(world(), await lease(), seen(20n, 12n, 10n))
    return movement
  }
  /** It is recorded in the middle of a look, just before that adds up the books. */
  async function payDuringLook(value: bigint) {
    let recorded = false
    const interrupted = (tx: Transaction): Transaction => {
      const custodyPosition: Transaction['custodyPosition'] = async (of, block) => {
        if (!recorded) await recordEarly(value)
        recorded = true
        return tx.custodyPosition(of, block)
      }
      return new Proxy(tx, {
        get: (_, name) => (name === 'custodyPosition' ? custodyPosition : Reflect.get(tx, name)),
      })
    }
    const transaction: Store['transaction'] = (work) => bench.store.transaction((tx) => work(interrupted(tx)))
    await bookLook({ ...world(), store: { ...bench.store, transaction } }, await lease(), seen(20n, 12n, 10n))
    expect(recorded).toBe(true)
  }
  const found = async () => {
    const [stray] = await bench.store.strays({ returned: false, limit: 10 })
    const balances = await bench.store.balances()
    const [deposits, suspense] = ['deposits', 'suspense'].map(
      (account) => balances.find((one) => one.account === account)?.atomic,
    )
    return { stray: stray?.amount, deposits, suspense, difference: (await bench.store.watch(network))?.difference }
  }
  await bookLook(world(), await lease(), seen(10n, 12n, 10n))
  expect(await found()).toMatchObject({ stray: 12n, suspense: 12n, difference: 0n })
  const first = await payEarly(5n)
  expect(await found()).toEqual({ stray: 7n, deposits: 5n, suspense: 7n, difference: 0n })
  await payDuringLook(7n)
  expect(await found()).toEqual({ stray: undefined, deposits: 12n, suspense: 0n, difference: 0n })
  expect(await bench.store.unprovenMovements(network, [first])).toEqual([])
  expect(await bench.store.payoutsPaused()).toMatchObject({ paused: false })
  await payEarly(1n)
  expect(await found()).toMatchObject({ deposits: 13n, difference: -1n })
  expect(await bench.store.payoutsPaused()).toMatchObject({ paused: true })
})
