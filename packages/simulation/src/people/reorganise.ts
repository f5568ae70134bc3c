import type { Transfer } from '@guildhall/server/parts'
import type { Mined, SimulatedChain } from '../chain/simulated-chain.ts'
import { ESCROW_WALLET } from '../day.ts'
import { makeGood } from './operator.ts'
import type { Stage } from './stage.ts'

/** Alarms that only a reorg explains. */
const BLOCKS_ARE_GONE = ['the chain took a settled transfer back', 'a deposit is gone that was to be paid out']

/** Alarms that only a reorg of final blocks explains: what left the wallet may stay, though what had paid for it is gone. */
const FINAL_BLOCKS_ARE_GONE = [
  'the chain took blocks back that were to stay',
  'money is missing from the escrow wallet',
  'money left the escrow wallet without a payout',
  'there is more in the escrow wallet than in the books',
  'a deposit is gone that was paid out',
  'the house stands in for what the escrow wallet owes',
]

export const chainOf = ({ day }: Stage): SimulatedChain => day.chance.pick([...day.chains.values()]) as SimulatedChain

/**
 * Takes back blocks of a chain: on deep days also final ones, as long as the service still watches what is in them. Such a reorg is
 * about this transfer, if one is given.
 */
export function reorganise(stage: Stage, about: Transfer | null = null): void {
  const { day } = stage
  const chain = day.chains.get(about?.authorization.network ?? '') ?? chainOf(stage)
  const { finality = 1, reorgDepth = 1 } = day.rules.networks.find(({ network }) => network === chain.network) ?? {}
  const isDeep = day.isDeep && day.chance.happens(0.8)
  const shallow = 1 + day.chance.below(finality - 1)
  const most = Math.min(reorgDepth - 1, sinceWatch(stage, chain))
  const depth = isDeep ? Math.max(shallow, Math.min(most, deepOn(stage, chain, about))) : shallow
  day.tell(() => `${chain.network} reorganises ${depth} blocks`)
  for (const alarm of BLOCKS_ARE_GONE) day.explained.add(alarm)
  if (isDeep) callOperator(stage)
  chain.reorganise(depth, isDeep ? (one) => isCancelled(stage, one) : undefined)
}

function callOperator(stage: Stage): void {
  const { day } = stage
  for (const alarm of FINAL_BLOCKS_ARE_GONE) day.explained.add(alarm)
  stage.takenBackAt = day.scheduler.now()
  void makeGood(stage)
}

/** Whoever can make a chain take final blocks back does so to have the money again. */
const isCancelled = ({ day }: Stage, { kind, transfer }: Mined): boolean =>
  kind === 'authorized' && transfer.from !== ESCROW_WALLET && day.chance.happens(0.15)

export const isWatched = ({ state, final }: Transfer): boolean => state === 'settled' && !final

/** Mostly just deep enough for one of the payments that are still watched. */
function deepOn({ day: { chance, database } }: Stage, chain: SimulatedChain, about: Transfer | null): number {
  const { number } = chain.head()
  const watched = [...database.tables.transfers.values()].filter(
    (one) => isWatched(one) && one.authorization.network === chain.network,
  )
  const block = (about ?? (chance.happens(0.5) ? chance.pick(watched) : watched[0]))?.blockNumber ?? null
  return block === null ? 1 + chance.below(50) : number - Number(block) + 1 + chance.below(3)
}

/** The watch of the wallet rests on the block that was final when it began: that one is never taken back. */
function sinceWatch({ day }: Stage, chain: SimulatedChain): number {
  const { firstBlock = null } = day.database.tables.watches.get(chain.network) ?? {}
  return firstBlock === null ? 0 : chain.head().number - Number(firstBlock)
}
