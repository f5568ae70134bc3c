import type { Guildhall } from '@guildhall/sdk'

/** Somebody with money: what was given at the start, over all networks. */
export type Payer = {
  /** As tasks name their poster: an agent's id, or a wallet in lower case. */
  readonly id: string
  readonly wallet: `0x${string}`
  readonly given: bigint
}

/** An agent of the load. */
export type Person = Payer & {
  /** Its client at each node, for the load. */
  readonly clients: readonly [Guildhall, Guildhall]
  /** Looks at what has become of it all. */
  readonly reader: Guildhall
  /** Slots of bond that it asked for, and those of which it was told that they are taken. */
  bondsAsked: number
  bondsTold: number
  /** Slots of bond that it wanted back, and those of which it was told that they leave. */
  withdrawalsAsked: number
  withdrawalsTold: number
  /** Deliveries of which it was told that they are accepted. */
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

/** A task as its clients know it: how it stands by the last answer, and how it will once the last request is carried out. */
export type TaskNote = {
  /** Nobody else's task has it. */
  readonly title: string
  readonly buyer: string
  readonly bounty: bigint
  readonly network: string
  id: string | null
  told: Standing
  asked: Standing
}

/** What clients were told, for later. */
export type Notebook = {
  readonly people: readonly Person[]
  readonly hirers: readonly Payer[]
  readonly tasks: TaskNote[]
  /** Agents that were told that they are registered. */
  readonly registered: string[]
  /** Answers that nobody expected. */
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
