import type { Guildhall } from '@guildhall/sdk'

/** Anyone with money; `given` is what they got at the start, over all networks. */
export type Payer = {
  /** The id by which tasks name their poster: an agent's id, or a wallet in lower case. */
  readonly id: string
  readonly wallet: `0x${string}`
  readonly given: bigint
}

/** An agent of the load. */
export type Person = Payer & {
  /** Its client at each node, for the load. */
  readonly clients: readonly [Guildhall, Guildhall]
  /** Reads the final state. */
  readonly reader: Guildhall
  /** Slots of bond that it asked for, and those that an answer called credited. */
  bondsAsked: number
  bondsTold: number
  /** Slots of bond that it asked to withdraw, and those that were confirmed. */
  withdrawalsAsked: number
  withdrawalsTold: number
  /** Deliveries whose acceptance was confirmed. */
  accepted: number
}

export type Standing =
  | 'absent'
  | 'open'
  | 'claimed'
  | 'submitted'
  | 'claimed again'
  | 'submitted again'
  | 'disputed'
  | 'verified'
  | 'cancelled'

/** A task as its clients know it: its status by the last answer, and its status once the last request is carried out. */
export type TaskNote = {
  /** Unique among all tasks. */
  readonly title: string
  readonly buyer: string
  readonly bounty: bigint
  readonly network: string
  id: string | null
  told: Standing
  asked: Standing
}

/** What clients were told, to be checked later. */
export type Notebook = {
  readonly people: readonly Person[]
  readonly hirers: readonly Payer[]
  readonly tasks: TaskNote[]
  /** Agents whose registration was confirmed. */
  readonly registered: string[]
  /** Unexpected answers. */
  readonly surprises: string[]
  answered: number
  /** Why requests were sent again, and how often. */
  readonly repeats: Map<string, number>
}

export const openNotebook = (people: readonly Person[], hirers: readonly Payer[] = []): Notebook => ({
  people,
  hirers,
  tasks: [],
  registered: people.map(({ id }) => id),
  surprises: [],
  answered: 0,
  repeats: new Map(),
})
