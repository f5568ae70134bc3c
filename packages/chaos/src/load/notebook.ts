import type { Guildhall } from '@guildhall/sdk'

/** An agent of the load, with what it was given at the start. */
export type Person = {
  readonly id: string
  readonly wallet: `0x${string}`
  readonly given: bigint
  /** Its client at each node, for the load. */
  readonly clients: readonly [Guildhall, Guildhall]
  /** Looks at what has become of it all. */
  readonly reader: Guildhall
  /** Bonds that it asked for, and those of which it was told that they are taken. */
  bondsAsked: number
  bondsTold: number
}

export type Standing = 'absent' | 'open' | 'claimed' | 'submitted' | 'verified' | 'cancelled'

/** A task as its clients know it: how it stands by the last answer, and how it will once the last request is carried out. */
export type TaskNote = {
  /** Nobody else's task has it. */
  readonly title: string
  readonly buyer: string
  readonly bounty: bigint
  id: string | null
  told: Standing
  asked: Standing
}

/** What clients were told, for later. */
export type Notebook = {
  readonly people: readonly Person[]
  readonly tasks: TaskNote[]
  /** Agents that were told that they are registered. */
  readonly registered: string[]
  /** Answers that nobody expected. */
  readonly surprises: string[]
  answered: number
  /** Why requests were sent again, and how often. */
  readonly repeats: Map<string, number>
}

export const openNotebook = (people: readonly Person[]): Notebook => ({
  people,
  tasks: [],
  registered: people.map(({ id }) => id),
  surprises: [],
  answered: 0,
  repeats: new Map(),
})
