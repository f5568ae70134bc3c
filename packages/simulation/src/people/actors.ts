import { DAY, HOUR, MINUTE, SECOND } from '@guildhall/protocol'
import type { Task, Transfer } from '@guildhall/server/parts'
import type { Request } from './callers.ts'
import type { Person } from './cast.ts'
import { ask } from './history.ts'
import { meddle } from './meddle.ts'
import { readInbox } from './readers.ts'
import { isWatched, reorganise } from './reorganise.ts'
import type { Stage } from './stage.ts'

/** A possible next request, with its weight. */
type Wish = readonly [weight: number, make: () => Request | null]

/** One of several concurrent actors: asks, waits, asks again, sometimes without waiting. */
export async function act(stage: Stage, times: number): Promise<void> {
  const { day } = stage
  for (let count = 0; count < times; count++) {
    await day.scheduler.pause(null, waitOf(stage))
    if (day.chance.happens(0.3)) void readInbox(stage)
    if (day.chance.happens(0.08)) await Promise.all(greed(stage).map((request) => insist(stage, request)))
    if (day.chance.happens(0.08)) await Promise.all(crowd(stage).map((request) => insist(stage, request)))
    const wanted = wish(stage)
    if (wanted === null) continue
    const movesMoney = MOVES_MONEY.has(wanted.verb)
    // What it rests on may be gone before the books know.
    if (day.isDeep && movesMoney && day.chance.happens(0.2)) reorganise(stage, restsOn(stage, wanted))
    const rivals = day.chance.happens(0.35) && wanted.taskId !== null ? rivalsOf(stage, wanted.taskId) : []
    await Promise.all([wanted, ...rivals].map((request) => insist(stage, request)))
    if (movesMoney) takeBackSoon(stage)
  }
}

/** A payment that was made for what is asked for, and that the chain may still take back. */
function restsOn({ day: { chance, database } }: Stage, { taskId, by }: Request): Transfer | null {
  const isFor = ({ purpose, ...one }: Transfer) =>
    taskId === null ? purpose === 'bond' && one.agentId === by : purpose === 'deposit' && one.taskId === taskId
  return chance.pick([...database.tables.transfers.values()].filter((one) => isWatched(one) && isFor(one))) ?? null
}

const MOVES_MONEY: ReadonlySet<string> = new Set(['bond', 'withdraw', 'accept', 'cancel'])

/** A reorg proves most when money has just moved. */
function takeBackSoon(stage: Stage): void {
  const { chance, scheduler, isDeep } = stage.day
  if (!chance.happens(isDeep ? 0.4 : 0.05)) return
  scheduler.after(null, chance.below(isDeep ? 20 * SECOND : 2 * SECOND), () => {
    if (!stage.isOver) reorganise(stage)
  })
}

/** Sends a request, perhaps twice at once; without an answer it may be sent again. */
export async function insist(stage: Stage, request: Request): Promise<void> {
  const { day, nodes, history, shown } = stage
  const { chance } = day
  const { payment } = request
  if (payment !== null) {
    shown.push(request)
    if (chance.happens(0.06)) day.scheduler.after(null, chance.below(80), () => meddle(day, payment))
  }
  const send = () => ask(day, history, chance.pick(nodes), request)
  const answers = await Promise.all(chance.happens(0.12) ? [send(), send()] : [send()])
  for (let count = 0; count < 3 && answers.every(({ kind }) => kind === 'unknown') && chance.happens(0.6); count++) {
    await day.scheduler.pause(null, chance.below(3 * SECOND))
    answers.push(await send())
  }
}

/** Mostly none, sometimes days, and now and then until exactly when a timer is due. */
function waitOf({ day: { chance, scheduler, database }, isRestored }: Stage): number {
  const luck = isRestored ? chance.next() * 0.75 : chance.next()
  if (luck < 0.5) return chance.below(300)
  if (luck < 0.75) return chance.below(30 * SECOND)
  if (luck < 0.85) return chance.below(2 * HOUR)
  if (luck < 0.9) return chance.below(3 * DAY)
  const due = [...database.tables.tasks.values()].flatMap(({ status, expiresAt, claimExpiresAt, autoReleaseAt }) => {
    const at = status === 'open' ? expiresAt : status === 'claimed' ? claimExpiresAt : autoReleaseAt
    return at === null ? [] : [at]
  })
  const at = chance.pick(due)
  return at === undefined ? chance.below(MINUTE) : Math.max(0, at - scheduler.now() + chance.below(60) - 30)
}

const choose = (stage: Stage, wishes: readonly Wish[]): Request | null => {
  const { chance } = stage.day
  let luck = chance.next() * wishes.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, make] of wishes) {
    luck -= weight
    if (luck < 0) return make()
  }
  return null
}

function wish(stage: Stage): Request | null {
  const { day, cast, requests } = stage
  const { chance, database } = day
  const person = () => chance.pick(cast.agents)
  const bonded = cast.agents.filter(({ id }) => (database.tables.agents.get(id)?.bondBalance ?? 0n) > 0n)
  const unbonded = cast.agents.filter(({ id }) => database.tables.agents.get(id)?.bondBalance === 0n)
  const bonding = day.isDeep || day.chains.size > 1 ? 2 : 1
  const tasks = [...database.tables.tasks.values()]
  const post: Wish[] = [
    [1, () => requests.postFree(person())],
    [1.5, () => requests.postDeclared(person())],
    [4, () => requests.postInEscrow(person())],
    [2, () => requests.hire(chance.pick(cast.buyers))],
    [1.2 * bonding, () => requests.bond((chance.happens(0.5) ? chance.pick(unbonded) : null) ?? person())],
    [bonded.length > 0 ? 2.5 * bonding : 0.1, () => requests.withdraw(chance.pick(bonded) ?? person())],
    [0.15, () => requests.clearWallet(person())],
    [day.chains.size > 1 ? 2 : 0.25, () => requests.proveWallet(person())],
  ]
  const living = tasks.filter(({ status }) => status === 'open' || status === 'claimed' || status === 'submitted')
  const task = chance.pick(living.length > 0 && chance.happens(0.9) ? living : tasks)
  if (task === undefined || chance.happens(living.length < 2 ? 0.6 : 0.25)) return choose(stage, post)
  return choose(stage, wishesFor(stage, task))
}

/** One agent claims up to five open tasks at once. */
function greed({ day, cast, requests }: Stage): readonly Request[] {
  const person = day.chance.pick(cast.agents)
  const open = [...day.database.tables.tasks.values()].filter(({ status }) => status === 'open')
  return open.slice(0, 5).map((task) => requests.claim(person, task))
}

/** Several go about their own business at once: they claim and deliver different tasks, and post one. */
function crowd({ day, cast, requests }: Stage): readonly Request[] {
  const { chance, database } = day
  const about = (task: Task): Request | null => {
    if (task.status === 'open') return requests.claim(chance.pick(cast.agents), task)
    const claimer = cast.agents.find(({ id }) => id === task.claimedBy)
    return task.status === 'claimed' && claimer !== undefined ? requests.deliver(claimer, task) : null
  }
  const moves = [...database.tables.tasks.values()].map(about).filter((request) => request !== null)
  return [requests.postFree(chance.pick(cast.agents)), ...moves.slice(-5)]
}

/** Mostly requests that fit the state of the task, sometimes any. */
function wishesFor(stage: Stage, task: Task): readonly Wish[] {
  const { day, cast, requests } = stage
  const { chance, database } = day
  const person = chance.pick(cast.agents)
  const claimer = cast.agents.find(({ id }) => id === task.claimedBy) ?? person
  const poster = posterOf(stage, task)
  const isDeclared = task.bounty !== null && task.escrow === null
  const payee = database.tables.agents.get(task.claimedBy ?? '')?.wallet?.address
  const accept = () =>
    isDeclared && poster !== null && payee !== undefined
      ? requests.acceptPaying(poster, task, payee)
      : requests.accept(poster, task)
  const fits = (statuses: readonly string[], weight: number) => (statuses.includes(task.status) ? weight : 0.03)
  const isUnfunded = task.escrow?.status === 'unfunded'
  return [
    [fits(['open'], 4), () => requests.claim(person, task)],
    [fits(['claimed'], 4), () => requests.deliver(claimer, task)],
    [fits(['submitted'], 4), accept],
    [isDeclared && task.status === 'verified' ? 1 : 0, accept],
    [fits(['submitted'], 1), () => requests.revise(poster, task)],
    [fits(['submitted'], 0.8), () => requests.dispute(poster, task)],
    [fits(['open', 'claimed', 'submitted'], 0.8), () => requests.cancel(poster, task)],
    [isUnfunded ? 3 : 0.03, () => (poster === null ? null : requests.fund(poster, task))],
  ]
}

/** The agent that posted the task; null for a wallet, which has only its token and its own signature. */
const posterOf = ({ cast }: Stage, task: Task): Person | null =>
  cast.agents.find(({ id }) => id === task.creator.id) ?? null

/** Competing requests about the same task at the same moment. */
function rivalsOf(stage: Stage, taskId: string): readonly Request[] {
  const task = stage.day.database.tables.tasks.get(taskId)
  if (task === undefined) return []
  const count = 1 + stage.day.chance.below(3)
  return Array.from({ length: count }, () => choose(stage, wishesFor(stage, task))).filter((one) => one !== null)
}
