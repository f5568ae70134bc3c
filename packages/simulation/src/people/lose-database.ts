import { MINUTE } from '@guildhall/protocol'
import type { Node } from '../node.ts'
import { copyOf, restore, type Tables } from '../store/tables.ts'
import { returnStrays } from './operator.ts'
import type { Stage } from './stage.ts'

/** Alarms that only an older copy of the database explains. */
const COPY_IS_OLDER = [
  'the database is older than the recorded head of the ledger',
  'money left the escrow wallet without a payout',
  'money is missing from the escrow wallet',
  'a payout was superseded on chain',
]

/** In minutes: longer than a node is frozen. */
const LONG_ENOUGH = 30

/** More than the strays of a day. */
const ALL = 50

/** The database is lost after a while, and only a copy from before is left: people ask for some of the same again. */
export async function loseDatabase(stage: Stage, goOn: () => Promise<unknown>): Promise<void> {
  const { day, nodes } = stage
  const returnAll = () => returnStrays(stage, day.chance.pick(nodes), ALL)
  const copy = copyOf(day.database.tables)
  await goOn()
  await returnAll()
  await takeOlderCopy(stage, copy)
  await goOn()
  await returnAll()
}

/** No node takes the copy, not even one that runs on, until an operator starts them without what they had recorded. */
async function takeOlderCopy(stage: Stage, copy: Tables): Promise<void> {
  const { day, nodes } = stage
  const { chance, database, explained, surprises } = day
  const isBeneath = chance.happens(0.5)
  day.tell(() => `an older copy of the database is restored${isBeneath ? ' beneath the nodes' : ''}`)
  for (const alarm of COPY_IS_OLDER) explained.add(alarm)
  for (const node of nodes) {
    if (!isBeneath) node.crash()
    else if (node.life !== null) database.abandon(node.life)
  }
  restore(database.tables, copy)
  stage.isRestored = true
  const { sequence = 0 } = copy.head.get('head') ?? {}
  const deceived = nodes.filter((node) => (node.recorded()?.sequence ?? 0) > sequence)
  for (const node of nodes) if (node.life === null) void node.start()
  await noticed(stage, deceived)
  for (const node of nodes) {
    const works = deceived.includes(node) && isWorking(node)
    if (works) surprises.push(`${node.name} works on a copy that is older than its record`)
    node.crash()
    node.forget()
    void node.start()
  }
}

const isWorking = ({ world }: Node): boolean => world?.ledger.isTrusted() ?? false

/** Nodes look at the ledger all the time, as soon as they are not frozen and reach their database. */
async function noticed({ day: { scheduler } }: Stage, nodes: readonly Node[]): Promise<void> {
  for (let minute = 0; minute === 0 || (minute < LONG_ENOUGH && nodes.some(isWorking)); minute++) {
    for (const { world } of nodes) world?.nudge()
    await scheduler.pause(null, MINUTE)
  }
}
