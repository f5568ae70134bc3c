/** How much is measured. Every round is bounded in time and in count, whichever ends first. */
export type Plan = {
  readonly smallBoard: number
  readonly largeBoard: number
  readonly agents: number
  readonly ledgerEntries: number
  /** Agents with an open stream that are all told of one task. */
  readonly streams: number
  /** Timers that fall due at the same moment. */
  readonly timers: number
  /** Rounds that only warm the servers up: V8 optimises what it sees often, which takes some ten thousand requests. */
  readonly warmUps: number
  readonly rounds: number
  readonly roundMs: number
  readonly connections: number
  /** Signed requests prepared for a round. */
  readonly writesPerRound: number
  readonly paidPosts: number
  readonly paidConnections: number
  /** How long the mix of requests is sent at a time. */
  readonly loadSeconds: number
  /** The first guess at the peak of the mix, in requests per second. */
  readonly guessedPeak: number
  /** Payments that hang while the facilitator is silent. */
  readonly hangingPosts: number
}

export const FULL: Plan = {
  smallBoard: 1_000,
  largeBoard: 1_000_000,
  agents: 3_000,
  ledgerEntries: 20_000,
  streams: 10_000,
  timers: 10_000,
  warmUps: 12,
  rounds: 12,
  roundMs: 1_000,
  connections: 32,
  writesPerRound: 3_000,
  paidPosts: 100,
  paidConnections: 8,
  loadSeconds: 4,
  guessedPeak: 4_000,
  hangingPosts: 64,
}

/** Shows that every line works; too short for its numbers to mean much. */
export const QUICK: Plan = {
  smallBoard: 500,
  largeBoard: 5_000,
  agents: 300,
  ledgerEntries: 1_000,
  streams: 50,
  timers: 300,
  warmUps: 0,
  rounds: 2,
  roundMs: 300,
  connections: 16,
  writesPerRound: 200,
  paidPosts: 8,
  paidConnections: 4,
  loadSeconds: 1,
  guessedPeak: 1_000,
  hangingPosts: 8,
}

/** How long compared measurements last. The 99th percentile varies from moment to moment: short ones would compare noise. */
export const comparedSeconds = ({ loadSeconds }: Plan): number => loadSeconds * 2
