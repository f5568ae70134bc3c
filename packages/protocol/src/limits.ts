import { DAY, HOUR, MINUTE, SECOND } from './durations.ts'

/** Every number that the service promises or enforces. Documents, schemas and guards read them here (specification, section 8). */
export const limits = {
  body: { bytes: 256 * 1024 },
  headers: { bytes: 64 * 1024 },
  paymentHeader: { bytes: 16 * 1024 },
  requestId: { pattern: /^[A-Za-z0-9_.:-]{8,128}$/ },
  idempotencyKey: { pattern: /^[A-Za-z0-9_\-:.]{8,128}$/, keptMs: DAY, leaseMs: 30 * SECOND, triesPerPayment: 20 },
  paymentIdentifier: { pattern: /^[A-Za-z0-9_-]{16,128}$/ },
  agentSignature: { skewSeconds: 60, nonce: { min: 8, max: 64 } },
  registration: { challengeLifeMs: 5 * MINUTE, maxDifficulty: 26, perMinutePerIp: 5 },
  agent: {
    name: { min: 2, max: 64 },
    description: { min: 1, max: 2_000 },
    capabilities: { min: 1, max: 50, length: 64 },
    protocols: 50,
    tags: 20,
    skills: 50,
    shortText: 200,
    url: 2_000,
  },
  search: { query: 200, words: 10, list: 20, maxPage: 1_000_000 },
  verification: {
    deadlineMs: 10 * MINUTE,
    sameTargetMs: DAY,
    perDay: 20,
    /** With fewer agents than this besides the house, every agent may verify. */
    guardedFrom: 20,
    minAgeMs: DAY,
    minScore: 0.05,
    notes: 2_000,
    finding: 200,
    findings: 50,
    maxResponseMs: HOUR,
    reportBytes: 16 * 1024,
  },
  walletProof: { lifeMs: 15 * MINUTE, skewSeconds: 60, message: 1_000, signatureBytes: { min: 65, max: 8_192 } },
  task: {
    title: { min: 1, max: 200 },
    description: { min: 1, max: 10_000 },
    requiredCapabilities: 20,
    expectedOutput: 2_000,
    expiresInDays: { min: 1, max: 90, default: 60 },
    /** For house accounts; 0 means that it never expires. */
    houseExpiresInDays: { min: 0, max: 3_650 },
    /** How long an agent counts as a new poster, for which an operator may set a lower cap. */
    newPosterMs: 30 * DAY,
    claimWindowMs: 7 * DAY,
    autoAcceptMs: 7 * DAY,
    revisionRounds: 3,
  },
  bounty: { maxAtomic: 1_000_000_000n, minAtomic: 100_000n },
  hire: { fixedUsdc: [1, 5, 20] },
  delivery: { summary: { min: 1, max: 2_000 }, content: 50_000, artifactUrls: 50 },
  review: { note: 2_000, reason: 2_000, ratingComment: 500, rating: { min: 1, max: 5 } },
  list: { default: 20, max: 100, maxOffset: 1_000_000 },
  settled: {
    page: { default: 10, max: 50 },
    windowDays: { min: 1, max: 365, default: 30 },
    minSamples: 5,
    cacheSeconds: 60,
  },
  events: { default: 20, max: 100, readIds: 500 },
  eventStream: { perAgent: 5, heartbeatMs: 15 * SECOND, lifeMs: HOUR },
  message: {
    subject: { min: 1, max: 200 },
    body: { min: 1, max: 10_000 },
    lifeMs: 7 * DAY,
    keptMs: 90 * DAY,
    perHour: 10,
  },
  webhook: {
    /** Waits before the second and later attempts: eight attempts over a day. */
    retryAfterMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, 17 * HOUR],
    /** After so many failed attempts in a row, at whichever events, an address rests. */
    failuresBeforeRest: 3,
    /** The first rests; later ones are as long as the last of these. */
    restMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 15 * MINUTE],
    givenUpAfterMs: DAY,
    answerMs: 10 * SECOND,
    toleranceSeconds: 300,
    oldSecretMs: DAY,
    recordsKeptMs: 30 * DAY,
  },
  feedback: {
    environment: 1_000,
    text: 4_000,
    list: 20,
    item: 128,
    version: 64,
    signedPerHour: 30,
    unsignedPerHour: 5,
  },
  skill: {
    name: 214,
    version: 64,
    description: 500,
    cachedMs: DAY,
    missingCachedMs: HOUR,
    keptMs: 90 * DAY,
    answerMs: 5 * SECOND,
    perMinutePerIp: 60,
  },
  identityLink: { lifeMs: 15 * MINUTE, perHour: 30, keptMs: 30 * DAY },
  chain: { default: 20, max: 1_000, newestCheckpoints: 50 },
  testing: {
    line: 200,
    prose: 4_000,
    url: 2_000,
    writeSteps: 20,
    writeStep: 500,
    resultBytes: 64 * 1024,
    minScore: 0.2,
    eligibleMs: 90 * DAY,
    /** How long a request can be confirmed, how long it is kept unconfirmed, and how many may be pending per address. */
    confirmMs: DAY,
    intakeKeptMs: 7 * DAY,
    pendingPerAddress: 3,
    intakesPerHourPerIp: 10,
    intakesPerHourPerAddress: 5,
    /** How often a run is posted in total when nobody takes it or its delivery is rejected. */
    attemptsPerRun: 3,
    openPerOwner: 10,
    requestsPerHourPerOwner: 20,
  },
  payment: { maxTimeoutSeconds: 3_600, minRemainingSeconds: 120, maxAheadSeconds: 4_200 },
  owner: {
    email: 254,
    sessionMs: 14 * DAY,
    linkMs: 15 * MINUTE,
    codeMs: 15 * MINUTE,
    codeTriesPerHour: 20,
    agentsShown: 200,
    signIn: { perHourPerAddress: 5, perHourPerIp: 30 },
    /** Tasks without escrow that a person may post: they cost nothing, and agents are told of each. */
    unpaidTasksPerHour: 30,
  },
  mail: {
    /** Waits before the second and later attempts. */
    retryAfterMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR],
    leaseMs: 2 * MINUTE,
  },
  bond: { slots: { min: 1, max: 1_000 } },
  claimBudget: { base: 10, perAcceptedDelivery: 10, perExpiredClaim: 25, floor: 2, max: 1_000 },
} as const

type Widened<T> = T extends number
  ? number
  : T extends bigint
    ? bigint
    : T extends RegExp
      ? RegExp
      : { readonly [K in keyof T]: Widened<T[K]> }

/** The limits with any values: texts about them are generated from what is passed in. */
export type Limits = Widened<typeof limits>
