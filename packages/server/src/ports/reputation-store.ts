import type { Instant } from '../domain/instant.ts'
import type { Reputation } from '../domain/reputation/reputation.ts'
import type { Assignment, Verification } from '../domain/verification/verification.ts'

export type ReputationReads = {
  reputation(agentId: string): Promise<Reputation | null>
  assignmentOf(verifierId: string): Promise<Assignment | null>
  /** How many targets this verifier was given since then, with or without a report. */
  givenSince(verifierId: string, since: Instant): Promise<number>
  /** Whose assignment this is, open or reported on; null when there is none. */
  verifierOf(assignmentId: string): Promise<string | null>
}

export type ReputationWrites = {
  /** Locks the reputations of these agents, in one order, so that two transactions cannot deadlock. */
  lockReputations(agentIds: readonly string[]): Promise<(agentId: string) => Reputation>
  saveReputation(reputation: Reputation): Promise<void>

  lockAssignment(verifierId: string): Promise<Assignment | null>
  /** Replaces the verifier's earlier assignment. */
  saveAssignment(assignment: Assignment): Promise<void>
  endAssignment(verifierId: string): Promise<void>
  /** Records, until that time, that the verifier was given this target. */
  noteUnreported(assignment: Assignment, until: Instant): Promise<void>
  /** Whether the verifier may be given this target: not if it was given it, or reported on it, since then. */
  canBeDrawn(verifierId: string, since: Instant, targetId: string): Promise<boolean>
  /** The first of these numbers that belongs to a drawable agent. */
  drawTarget(verifierId: string, since: Instant, numbers: readonly number[]): Promise<string | null>
  /** Picks from all drawable agents, in order; `place` is a random number from 0 up to 1. */
  drawFromAll(verifierId: string, since: Instant, place: number): Promise<string | null>
  /** No agent has a higher number. */
  highestNumber(): Promise<number>
  insertVerification(verification: Verification): Promise<void>
}
