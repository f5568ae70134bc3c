import type { Day } from '../day.ts'
import type { Node } from '../node.ts'
import type { Request } from './callers.ts'
import type { Cast } from './cast.ts'
import type { History } from './history.ts'
import type { Requests } from './requests.ts'

/** A simulated day with those who take part in it. */
export type Stage = {
  readonly day: Day
  readonly nodes: readonly [Node, Node]
  readonly cast: Cast
  readonly requests: Requests
  readonly history: History
  /** Requests whose payments others have seen. */
  readonly shown: Request[]
  /** How far each agent has read its inbox, and the events it has seen. */
  readonly readers: Map<string, { cursor: number; readonly seen: Set<string> }>
  /** The database is an older copy: payouts may be paused for good. */
  isRestored: boolean
  /** No new requests are started. */
  isOver: boolean
  /** When a chain last took final blocks back. */
  takenBackAt: number
  /** An operator will look at what is missing after that. */
  isOperatorCalled: boolean
}
