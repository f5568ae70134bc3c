import { HOUR, MINUTE, SECOND } from '@guildhall/protocol'
import {
  coverLoss,
  type Hex,
  pausePayouts,
  redirectPayout,
  reinstateAgent,
  resumePayouts,
  returnStray,
  type ServedNetwork,
  suspendAgent,
  type Transfer,
  watchWallets,
} from '@guildhall/server/parts'
import { ESCROW_WALLET } from '../day.ts'
import type { Node } from '../node.ts'
import { houseOf } from '../store/custody-position.ts'
import { COMMITTED } from '../store/overlay.ts'
import type { MovementRow } from '../store/tables.ts'
import { type Person, STRANGER } from './cast.ts'
import { ask, onNode } from './history.ts'
import type { Stage } from './stage.ts'

/** An operator retries until payouts are resumed. On an older copy of the database they stay paused: nobody makes good what it misses. */
export async function resume(stage: Stage): Promise<void> {
  const { day, nodes } = stage
  while (!stage.isRestored) {
    const answer = await onNode(day, day.chance.pick(nodes), 'resume', resumePayouts)
    if (answer.kind === 'ok') return
    await day.scheduler.pause(null, 10 * SECOND)
  }
}

export async function pauseFor(stage: Stage, ms: number): Promise<void> {
  const { day, nodes } = stage
  day.tell(() => 'an operator pauses payouts')
  await onNode(day, day.chance.pick(nodes), 'pause', (world) => pausePayouts(world, 'a look at the books'))
  day.scheduler.after(null, ms, () => void resume(stage))
}

/** A release that waits is to go to another wallet, which its deliverer has proven for it; about then its signature is over. */
export async function redirect(stage: Stage, release: Transfer): Promise<void> {
  const { day, nodes, cast, requests, history } = stage
  const person = cast.agents.find(({ id }) => id === release.agentId)
  if (person === undefined) return
  await pauseFor(stage, HOUR - 2 * MINUTE + day.chance.below(3 * MINUTE))
  const address = release.authorization.to === person.wallet ? person.otherWallet : person.wallet
  await ask(day, history, day.chance.pick(nodes), requests.proveWallet(person, address))
  day.tell(() => `an operator redirects the release ${release.id}`)
  await onNode(day, day.chance.pick(nodes), 'redirect', (world) => redirectPayout(world, release.id))
}

/** An operator suspends an agent, and reinstates it later. */
export async function suspendForAWhile(stage: Stage, { id, name }: Person): Promise<void> {
  const { day, nodes } = stage
  day.tell(() => `an operator suspends ${name}`)
  await onNode(day, day.chance.pick(nodes), 'suspend', (world) => suspendAgent(world, id, null))
  day.scheduler.after(null, 1 + day.chance.below(HOUR), () => void reinstate(stage, id))
}

async function reinstate({ day, nodes }: Stage, id: string): Promise<void> {
  while (day.database.tables.agents.get(id)?.status === 'suspended') {
    await onNode(day, day.chance.pick(nodes), 'reinstate', (world) => reinstateAgent(world, id, null))
    await day.scheduler.pause(null, 10 * SECOND)
  }
}

/** Sends the newest strays back. */
export const returnStrays = ({ day }: Stage, node: Node, most: number) =>
  onNode(day, node, 'return', async (world) => {
    const strays = await world.store.strays({ returned: false, limit: most })
    for (const { id } of strays) await returnStray(world, id, null)
  })

/** By then every signature has run out, so nothing that is missing comes back by itself. */
const EVERYTHING_HAS_RUN_OUT = HOUR + 15 * MINUTE
/** More than the clock of a node is wrong by. */
const SKEW = 10 * SECOND

/**
 * What the chain took back for good after it had been paid out is lost. The operator sends as much to the escrow wallet, as the
 * manual says, and what the house stands in for, and resumes payouts.
 */
export async function makeGood(stage: Stage): Promise<void> {
  if (stage.isOperatorCalled) return
  stage.isOperatorCalled = true
  const { scheduler, rules } = stage.day
  do await scheduler.pause(null, EVERYTHING_HAS_RUN_OUT)
  while (scheduler.now() - stage.takenBackAt < EVERYTHING_HAS_RUN_OUT)
  for (const served of rules.networks) {
    for (let missing = await missingOn(stage, served); missing > 0n; missing = await missingOn(stage, served))
      await cover(stage, served, missing)
  }
  await resume(stage)
  stage.isOperatorCalled = false
}

/**
 * What a new look finds missing, and what the house owes, when the last reorg is too deep to be followed by another of the same
 * blocks.
 */
async function missingOn({ day, nodes }: Stage, { network, reorgDepth = 1 }: ServedNetwork): Promise<bigint> {
  for (;;) {
    for (let count = 0; count < reorgDepth; count++) day.chains.get(network)?.mine()
    await day.scheduler.pause(null, 2 * MINUTE)
    const asked = day.scheduler.now()
    // The jobs of a node sleep while only the wallet is to be looked at.
    await onNode(day, day.chance.pick(nodes), 'look', watchWallets)
    const { provenAt = null, difference = 0n } = day.database.tables.watches.get(network) ?? {}
    const isNew = provenAt !== null && provenAt >= asked - SKEW
    const house = houseOf(day.database.tables, COMMITTED, network)
    if (isNew && day.chains.get(network)?.halted === false) return shortOf(difference) + shortOf(house)
  }
}

const shortOf = (balance: bigint): bigint => (balance < 0n ? -balance : 0n)

async function cover(stage: Stage, served: ServedNetwork, amount: bigint): Promise<void> {
  const { day, nodes } = stage
  const { network } = served
  const txHash = send(stage, served, amount)
  await missingOn(stage, served)
  const isSent = (row: MovementRow) => row.network === network && row.txHash === txHash
  const { strayId = null } = [...day.database.tables.movements.values()].find(isSent) ?? {}
  if (strayId === null) return
  for (let isDone = false; !isDone; ) {
    const answer = await onNode(day, day.chance.pick(nodes), 'cover', (world) => coverLoss(world, strayId))
    isDone = answer.kind === 'ok'
    await day.scheduler.pause(null, 10 * SECOND)
  }
}

function send({ day }: Stage, { network, usdc: asset }: ServedNetwork, value: bigint): Hex | undefined {
  const times = { validAfter: 0n, validBefore: 0n, nonce: `0x${'0'.repeat(64)}` as const }
  day.tell(() => `an operator sends ${value} to the escrow wallet on ${network}`)
  day.chains.get(network)?.mint(STRANGER, value)
  return day.chains.get(network)?.send('plain', { network, asset, from: STRANGER, to: ESCROW_WALLET, value, ...times })
}
