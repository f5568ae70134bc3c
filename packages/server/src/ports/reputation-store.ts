import type { Instant } from '../domain/instant.ts'
import type { Reputation } from '../domain/reputation/reputation.ts'
import type { Assignment, Verification } from '../domain/verification/verification.ts'

export type ReputationReads = {
  reputation(agentId: string): Promise<Reputation | null>
  assignmentOf(verifierId: string): Promise<Assignment | null>
  /** How many targets this verifier has reported on, or was given and did not report on, after that moment. */
  givenSince(verifierId: string, since: Instant): Promise<number>
  /** Whether this verifier has reported on the assignment. */
  isReported(assignmentId: string, verifierId: string): Promise<boolean>
}

export type ReputationWrites = {
  /** Gives the reputation of each of these agents; two lockers never wait for each other in a circle. */
  lockReputations(agentIds: readonly string[]): Promise<(agentId: string) => Reputation>
  saveReputation(reputation: Reputation): Promise<void>

  lockAssignment(verifierId: string): Promise<Assignment | null>
  /** Replaces the one that the verifier had. */
  saveAssignment(assignment: Assignment): Promise<void>
  endAssignment(verifierId: string): Promise<void>
  /** Keeps in mind, until then, that the verifier was given this target. */
  noteUnreported(assignment: Assignment, until: Instant): Promise<void>
  /** Whether chance may choose this target for the verifier, who must not have been given it or have reported on it since then. */
  canBeDrawn(verifierId: string, since: Instant, targetId: string): Promise<boolean>
  /** The first of these numbers that belongs to a drawable agent. */
  drawTarget(verifierId: string, since: Instant, numbers: readonly number[]): Promise<string | null>
  /** Of all who may be drawn, the one at this place between 0 and 1. */
  drawFromAll(verifierId: string, since: Instant, place: number): Promise<string | null>
  /** No agent has a higher number. */
  highestNumber(): Promise<number>
  insertVerification(verification: Verification): Promise<void>
}
