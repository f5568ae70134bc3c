import type { Agent, PayoutWallet, Profile } from '../domain/agent/agent.ts'
import type { Instant } from '../domain/instant.ts'

/** What a new key has to sign and solve before it is registered. */
export type Challenge = {
  readonly id: string
  readonly publicKey: string
  readonly text: string
  readonly difficulty: number
  readonly expiresAt: Instant
}

export type AgentReads = {
  agent(id: string): Promise<Agent | null>
  agentByNameKey(key: string): Promise<Agent | null>
}

export type AgentWrites = {
  /** Replaces all challenges of the key. */
  saveChallenge(challenge: Challenge): Promise<void>
  /** Deletes and returns the challenge, so that it can be used only once. */
  takeChallenge(id: string): Promise<Challenge | null>
  insertAgent(agent: Agent, nameKey: string): Promise<'inserted' | 'id_taken' | 'name_taken'>
  lockAgent(id: string): Promise<Agent | null>
  updateProfile(agentId: string, profile: Profile, nameKey: string): Promise<'updated' | 'name_taken'>
  setWallet(agentId: string, wallet: PayoutWallet | null): Promise<void>
  /** Adds to the counts of an agent's record. */
  countForAgent(agentId: string, change: Partial<Record<keyof Agent['track'], number>>): Promise<void>
  /** Adds to the bond, or takes from it; the balance never goes below zero. */
  adjustBond(agentId: string, network: string, change: bigint): Promise<void>
}
