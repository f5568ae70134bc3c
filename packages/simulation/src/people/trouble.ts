import { HOUR, MINUTE, SECOND } from '@guildhall/protocol'
import type { Hex } from '@guildhall/server/parts'
import { MOST_BEHIND, SOUND_RPC } from '../chain/rpc.ts'
import { MOODS } from '../chain/simulated-facilitator.ts'
import { ESCROW_WALLET } from '../day.ts'
import type { Node } from '../node.ts'
import { insist } from './actors.ts'
import { STRANGER } from './cast.ts'
import { meddle } from './meddle.ts'
import { pauseFor, resume, returnStrays, suspendForAWhile } from './operator.ts'
import { overtake } from './overtake.ts'
import { chainOf, reorganise } from './reorganise.ts'
import type { Stage } from './stage.ts'

type Trouble = (stage: Stage) => void | Promise<void>

/** Injects faults now and then, each for a while. */
export async function makeTrouble(stage: Stage, times: number): Promise<void> {
  const { chance, scheduler } = stage.day
  const kinds = TROUBLES.filter(() => chance.happens(0.5))
  for (let count = 0; count < times && kinds.length > 0; count++) {
    await scheduler.pause(null, chance.happens(0.6) ? chance.below(3 * SECOND) : chance.below(10 * MINUTE))
    if (stage.isOver) return
    await chance.pick(kinds)?.(stage)
  }
}

const restartLater = async ({ day }: Stage, node: Node, ms: number) => {
  await day.scheduler.pause(null, ms)
  if (node.life === null) await node.start()
}

/** Undoes a fault after at most `ms`. */
function forAWhile({ day }: Stage, ms: number, undo: () => void): void {
  day.scheduler.after(null, 1 + day.chance.below(ms), undo)
}

const crash: Trouble = (stage) => {
  const { chance } = stage.day
  const node = chance.pick(stage.nodes)
  if (node.life === null) return
  node.crash()
  void restartLater(stage, node, chance.below(chance.happens(0.7) ? 5 * SECOND : HOUR))
}

const freeze: Trouble = ({ day, nodes }) =>
  day.chance.pick(nodes).freeze(1 + day.chance.below(day.chance.happens(0.5) ? 4 * SECOND : 10 * MINUTE))

const moody: Trouble = (stage) => {
  const { day } = stage
  const mood = day.chance.pick(MOODS)
  day.facilitator.mood = mood
  day.tell(() => `the facilitator is ${mood}`)
  // For longer than an hour, so that what was signed runs out.
  forAWhile(stage, day.chance.happens(0.85) ? 20 * MINUTE : 3 * HOUR, () => {
    day.facilitator.mood = 'ok'
  })
}

const cutDatabase: Trouble = (stage) => {
  const { chance, database } = stage.day
  const faults = database.faults
  stage.day.tell(() => 'the database drops connections')
  faults.cut = chance.happens(0.3) ? 1 : chance.next() * 0.2
  faults.lostCommit = chance.next() * 0.5
  forAWhile(stage, 30 * SECOND, () => Object.assign(faults, { cut: 0, lostCommit: 0 }))
}

/** Alarms while logs of payments are omitted; payouts stop rather than continue without proof. */
const LOGS_ARE_MISSING = [
  'the logs of the chain do not explain the escrow wallet',
  'money is missing from the escrow wallet',
  'there is more in the escrow wallet than in the books',
  'a node of the chain had left movements of the escrow wallet out',
]

const badRpc: Trouble = (stage) => {
  const { day, nodes } = stage
  const { rpc, name } = day.chance.pick(nodes)
  const kind = day.chance.pick(['down', 'flaky', 'behind', 'blind', 'forgetful'])
  day.tell(() => `the RPC of ${name} is ${kind}`)
  if (kind === 'down') rpc.down = true
  else if (kind === 'flaky') rpc.flaky = day.chance.next()
  else if (kind === 'blind') rpc.blind = true
  else if (kind === 'behind') rpc.behind = 1 + day.chance.below(MOST_BEHIND)
  else {
    rpc.forgetful = day.chance.next()
    for (const alarm of LOGS_ARE_MISSING) day.explained.add(alarm)
  }
  forAWhile(stage, 10 * MINUTE, () => {
    Object.assign(rpc, SOUND_RPC)
    // An operator resumes what was paused because of the missing logs.
    if (kind === 'forgetful') day.scheduler.after(null, 10 * MINUTE, () => void resume(stage))
  })
}

const busySigner: Trouble = (stage) => {
  const { chance, signer, tell } = stage.day
  tell(() => 'the escrow key is hard to reach')
  signer.busy = chance.next()
  forAWhile(stage, 5 * MINUTE, () => {
    signer.busy = 0
  })
}

const haltChain: Trouble = (stage) => {
  const { chance, scheduler, tell } = stage.day
  const chain = chainOf(stage)
  tell(() => `${chain.network} halts`)
  chain.halted = true
  // A payment happens at the same time.
  if (chance.happens(0.5)) void insist(stage, stage.requests.postInEscrow(chance.pick(stage.cast.agents)))
  forAWhile(stage, chance.happens(0.8) ? 8 * MINUTE : HOUR, () => {
    chain.halted = false
    // The first blocks after a halt may carry the times at which they should have been mined.
    const behind = Math.floor(scheduler.now() / 1000) - chain.head().time
    chain.lag = chance.happens(0.5) ? behind : chance.below(behind + 1)
    forAWhile(stage, 5 * MINUTE, () => {
      chain.lag = 0
    })
  })
}

const takeBack: Trouble = (stage) => reorganise(stage)

/** A payer does something else with a signed payment, most likely one of the newest. */
const meddleAgain: Trouble = (stage) => {
  const recent = stage.shown.slice(-3)
  const payment = stage.day.chance.pick(recent)?.payment
  if (payment) meddle(stage.day, payment)
}

/** Unrequested money. */
const stray: Trouble = (stage) => {
  const chain = chainOf(stage)
  const { usdc: asset } = stage.day.rules.networks[0] ?? { usdc: STRANGER }
  const nonce: Hex = `0x${'0'.repeat(64)}`
  const times = { validAfter: 0n, validBefore: 0n, nonce }
  const value = BigInt(1 + stage.day.chance.below(1_000_000))
  chain.send('plain', { network: chain.network, asset, from: STRANGER, to: ESCROW_WALLET, value, ...times })
}

const operate: Trouble = async (stage) => {
  const { day, nodes, cast } = stage
  const luck = day.chance.next()
  if (luck < 0.4) await pauseFor(stage, 1 + day.chance.below(20 * MINUTE))
  else if (luck < 0.6) await suspendForAWhile(stage, day.chance.pick(cast.agents))
  else await returnStrays(stage, day.chance.pick(nodes), 1)
}

const TROUBLES: readonly Trouble[] = [
  crash,
  crash,
  freeze,
  moody,
  moody,
  cutDatabase,
  badRpc,
  busySigner,
  haltChain,
  takeBack,
  takeBack,
  meddleAgain,
  stray,
  overtake,
  operate,
]
