import { DAY, MINUTE } from '@guildhall/protocol'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { SettingsError } from '../../src/config/settings-error.ts'
import { newBuyer, newWorker, type Player } from '../support/cast.ts'
import { rpc } from '../support/chain-calls.ts'
import { refusalOf } from '../support/refusals.ts'
import { ALL_NETWORKS, BASE, type Node, POLYGON, setStage, THIRD } from '../support/stage.ts'
import { deliveredTask } from '../support/tasks.ts'
import { pauseMs, until } from '../support/until.ts'

const STRICT = { GUILDHALL_MAX_CLOCK_SKEW_MS: '5000' }
const stage = setStage({ networks: ALL_NETWORKS, settings: STRICT, alarms: ['the clock differs'] })

const rightTime = Date.now.bind(Date)

/** What this machine takes for the time is so far from the time that it is. */
const setClock = (aheadMs: number) => vi.spyOn(Date, 'now').mockImplementation(() => rightTime() + aheadMs)

/** The chains have this machine's clock, too; a block at a wrong time would stay. */
const letMine = (automine: boolean) =>
  Promise.all([BASE, POLYGON, THIRD].map((network) => rpc(stage.chain(network), 'evm_setAutomine', automine)))

afterEach(async () => {
  vi.restoreAllMocks()
  await letMine(true)
})

const health = async ({ url }: Node) => (await fetch(`${url}/v1/health`)).status
const saysYes = (node: Node) =>
  until(
    () => health(node),
    (status) => status === 200,
  )
const task = async (id: string) => (await stage.client().tasks.get(id)).task

let buyer: Player
let worker: Player
beforeAll(async () => {
  ;[buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
})

test.each([8 * DAY, -10 * MINUTE])(
  'a clock that jumps by %i ms ends nothing early: the node says no, does nothing by itself, and goes on when the clock is right',
  async (jump) => {
    const id = await deliveredTask(buyer, worker)
    await letMine(false)
    setClock(jump)
    // A client that goes by what this node takes for the time is not let in either: not even the first request after the jump.
    await refusalOf(worker.with({ fetch }).tasks.claim(id), 'service_unavailable')
    await until(
      () => health(stage.node()),
      (status) => status === 503,
    )
    await pauseMs(1_000)
    expect(await task(id)).toMatchObject({ status: 'submitted', accepted_by: null })
    expect(stage.alarms.filter((alarm) => alarm.startsWith('the clock differs')).length).toBeGreaterThan(0)
    setClock(0)
    await letMine(true)
    await saysYes(stage.node())
    await buyer.client.tasks.accept(id)
    await until(
      () => task(id),
      ({ payment_status }) => payment_status === 'settled',
    )
  },
)

test('a node whose clock is wrong does not start, and says why', async () => {
  setClock(-10 * MINUTE)
  const start = stage.startNode()
  await expect(start).rejects.toThrow(SettingsError)
  await expect(start).rejects.toThrow('This machine’s clock is -600.0 s from PostgreSQL’s')
})

test('a clock that is a little off is accepted', async () => {
  setClock(2_000)
  expect(await health(stage.node())).toBe(200)
})
