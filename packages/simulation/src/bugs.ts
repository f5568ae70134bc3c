import type { SealingTransaction, Transaction, World } from '@guildhall/server/parts'
import type { Wrap } from './store/simulated-store.ts'
import type { Chance } from './time/chance.ts'

export const BUGS = [] as const
export type Bug = (typeof BUGS)[number]

type Ports = Pick<World, 'clock' | 'chain' | 'facilitator'>

/** Where a mistake is planted; without one everything passes through as it is. */
export type Seams = { readonly store: Wrap | null; readonly ports: (ports: Ports) => Ports }

export function seamsOf(bug: Bug | null, _chance: Chance): Seams {
  if (bug === null) return { store: null, ports: (ports) => ports }
  const store = { transaction: (tx: Transaction) => tx, sealing: (tx: SealingTransaction) => tx }
  return { store, ports: (ports) => ports }
}
