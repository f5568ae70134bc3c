import { type Violation, weigh } from '@guildhall/oracle'
import { type Day, ESCROW_WALLET } from '../day.ts'
import { skippedEvents } from '../people/readers.ts'
import type { Stage } from '../people/stage.ts'
import { MOST_STEPS } from '../time/scheduler.ts'
import { booksOf } from './books-of.ts'
import { chainView } from './chain-view.ts'
import { isForgiven, wrongLosses } from './deep-days.ts'
import { paidTwice } from './paid-twice.ts'
import { promisesKept } from './promises-kept.ts'

/** Everything that does not hold at the end of a day, after everything has healed and 90 more days have passed. */
export function judgeDay(stage: Stage): readonly Violation[] {
  const { day } = stage
  const books = booksOf(day.database.tables)
  const chains = [...day.chains.values()].map((chain) => chainView(chain, ESCROW_WALLET))
  const isForgivenHere = isForgiven(day, chains)
  const now = day.scheduler.now()
  const always = [
    ...named('nobody is paid twice', paidTwice(day, chains)),
    ...named('nothing fails without a cause', new Set(day.surprises)),
    ...named('everything comes to rest', day.scheduler.steps() < MOST_STEPS ? [] : ['there was no end to it']),
  ]
  if (day.isRestored) return always
  return [
    ...weigh({ books, chains, escrowWallet: ESCROW_WALLET, now }).filter((one) => !isForgivenHere(one)),
    ...named('the house bears what the chain took', wrongLosses(day, chains)),
    ...named('every promise is kept', promisesKept(stage)),
    ...named('a cursor never skips', skippedEvents(stage)),
    ...named('everything comes to an end', unfinished(day)),
    ...always,
  ]
}

const named = (invariant: string, several: Iterable<string>): Violation[] =>
  [...several].map((what) => ({ invariant, what }))

/** I9: once the faults have healed, nothing is left in flight. */
function* unfinished({ database: { tables } }: Day): Iterable<string> {
  for (const { id, purpose, state, final, lastError } of tables.transfers.values()) {
    if (state === 'intended' || (state === 'settled' && !final)) {
      yield `the ${purpose} ${id} is still ${state}${final ? '' : ', not final'}: ${lastError}`
    }
  }
  for (const { id, type } of tables.pending.values()) yield `the entry ${type} ${id} was never sealed`
  const newest = tables.head.get('head')?.sequence
  const attested = [...tables.checkpoints.values()].at(-1)?.sequence
  if (attested !== newest) yield `the newest entry is ${newest}, the newest one attested is ${attested}`
  const { paused = true, reason = null } = tables.switches.get('payouts') ?? {}
  if (paused) yield `payouts are paused: ${reason}`
  for (const { network, trouble, difference } of tables.watches.values()) {
    if (trouble !== null || difference !== 0n) yield `${network}: ${trouble}, ${difference}`
  }
}
