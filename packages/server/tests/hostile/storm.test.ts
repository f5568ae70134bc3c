import { DAY, HOUR, MINUTE } from '@guildhall/protocol'
import { isGuildhallError } from '@guildhall/sdk'
import { expect, test } from 'vitest'
import { give, newWorker, type Player } from '../support/cast.ts'
import { hirePrice, newHirer, unsigned } from '../support/hires.ts'
import { signPayment } from '../support/payments.ts'
import { send } from '../support/raw.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from '../support/stage.ts'
import { aBounty, aDelivery, aTask } from '../support/tasks.ts'
import { hostileSeed, seeded } from './seeded.ts'

const CALLS = Number(process.env.HOSTILE_CALLS ?? 200)
const AT_ONCE = 8
const PLAYERS = 5

const stage = setStage({ nodes: 2, networks: ALL_NETWORKS, settings: { GUILDHALL_SETTLE_IN_REQUEST_MS: '1000' } })
const random = seeded(hostileSeed)
const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

type Posted = {
  readonly id: string
  readonly poster: Player | null
  readonly token: string | null
  worker: Player | null
}
const posted: Posted[] = []

async function newPlayer(): Promise<Player> {
  const player = await newWorker(stage)
  for (const network of [BASE, POLYGON]) await give(stage, player.wallet.address, '1000', network)
  return player
}

type Deed = (player: Player) => Promise<unknown>

const anyNode = (player: Player) => player.with({ node: oneOf([0, 1]) })

type Act = (tasks: ReturnType<Player['with']>['tasks'], id: string) => Promise<unknown>

/** Somebody does something with one of the newest tasks; mostly somebody who may. */
const onTask =
  (entitled: (task: Posted) => Player | null, act: Act): Deed =>
  async (anybody) => {
    const task = posted.length === 0 ? null : oneOf(posted.slice(-8))
    if (task === null) return
    const player = (random() < 0.85 ? entitled(task) : null) ?? anybody
    await act(anyNode(player).tasks, task.id)
  }
const byPoster = (act: Act) => onTask(({ poster }) => poster, act)
const byWorker = (act: Act) => onTask(({ worker }) => worker, act)

const claim: Deed = async (player) => {
  const task = posted.length === 0 ? null : oneOf(posted.slice(-8))
  if (task === null) return
  await anyNode(player).tasks.claim(task.id)
  task.worker = player
}

const post: Deed = async (player) => {
  const bounty = aBounty(oneOf([1, 2]), oneOf([BASE, POLYGON]))
  const kind = oneOf([{}, { bounty, escrow: false }, { bounty }, { bounty }])
  const { task_id } = await anyNode(player).tasks.post({ ...aTask, expires_in_days: oneOf([1, 60]), ...kind })
  posted.push({ id: task_id, poster: player, token: null, worker: null })
}

const hireOne: Deed = async () => {
  const request = unsigned('/v1/x402/tasks/usd-1', aTask)
  const { terms } = await hirePrice(stage, request)
  const { header } = await signPayment(stage, terms, await newHirer(stage))
  const { status, body } = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header }, node: oneOf([0, 1]) })
  expect(status === 503 || status < 500, JSON.stringify(body)).toBe(true)
  if (status !== 200) return
  const { token } = body.manage as { readonly token: string }
  posted.push({ id: String(body.task_id), poster: null, token, worker: null })
}

const manage: Deed = async () => {
  const hire = posted.findLast(({ token }) => token !== null)
  if (hire === undefined) return
  const [action, more] = oneOf([
    ['accept', {}],
    ['revision', { note: 'Again.' }],
    ['dispute', { reason: 'No.' }],
    ['cancel', {}],
  ])
  const headers = { Authorization: `Bearer ${hire.token}` }
  const { status, body } = await send(stage, unsigned(`/v1/x402/tasks/${hire.id}/${action}`, more), { headers })
  expect(status < 500, JSON.stringify(body)).toBe(true)
}

const trouble: Deed = (player) =>
  player.client.sandbox.setFaults({
    facilitator: oneOf(['ok', 'down', 'settle_reverts', 'response_lost', 'lies_settled', 'lies_failed']),
    rpc: oneOf(['ok', 'ok', 'down']),
    times: oneOf([1, 2, 5]),
  })

const times = (count: number, deed: Deed): readonly Deed[] => Array.from({ length: count }, () => deed)

/** How often each comes. */
const DEEDS: readonly Deed[] = [
  ...times(6, post),
  ...times(2, hireOne),
  ...times(3, manage),
  ...times(9, claim),
  ...times(
    9,
    byWorker((of, id) => of.deliver(id, aDelivery)),
  ),
  ...times(
    6,
    byPoster((of, id) => of.accept(id, { rating: oneOf([1, 5]) })),
  ),
  ...times(
    2,
    byPoster((of, id) => of.revision(id, { note: 'Again.' })),
  ),
  ...times(
    2,
    byPoster((of, id) => of.dispute(id, { reason: 'No.', rating: 1 })),
  ),
  ...times(
    2,
    byPoster((of, id) => of.cancel(id)),
  ),
  ...times(
    2,
    byPoster((of, id) => of.fund(id)),
  ),
  ...times(
    1,
    byPoster((of, id) => of.publish(id)),
  ),
  ...times(2, (player) => anyNode(player).call('postBond', { body: { slots: oneOf([1, 2]) } })),
  ...times(2, (player) => anyNode(player).call('withdrawBond', { body: { amount_atomic: oneOf(['1000000', '1']) } })),
  ...times(3, (player) => anyNode(player).wallet.prove(player.wallet, oneOf([BASE, POLYGON]))),
  ...times(1, (player) => player.client.wallet.clear()),
  ...times(2, trouble),
  ...times(2, () => stage.moveClocks(oneOf([MINUTE, MINUTE, HOUR, 8 * DAY]))),
]

/** Refusals are part of the game; faults of the service are not. */
const EXPECTED = new Set(['facilitator_unavailable', 'wallet_proof_unavailable', 'service_unavailable'])

function judge(error: unknown): void {
  if (!isGuildhallError(error)) throw error
  if ((error.status ?? 0) >= 500 && !EXPECTED.has(error.code)) throw new Error(`${error.code}: ${error.message}`)
}

test('whatever many callers do at once, with all kinds of trouble, ends with the books in order', async () => {
  console.info(`HOSTILE_SEED=${hostileSeed}`)
  const players = await Promise.all(Array.from({ length: PLAYERS }, newPlayer))
  let left = CALLS
  const lane = async () => {
    while (left-- > 0) await oneOf(DEEDS)(oneOf(players)).catch(judge)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  await stage.client().sandbox.setFaults({ facilitator: 'ok', rpc: 'ok' })
  for (let day = 0; day < 4; day++) await stage.travel(8 * DAY)
  expect(await stage.askOracle()).toEqual([])
})
