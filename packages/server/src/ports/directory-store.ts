import type { Agent, AgentStatus } from '../domain/agent/agent.ts'
import type { Instant } from '../domain/instant.ts'

/** A word, or anything that begins with it. */
export type Meaning = { readonly word: string; readonly isWhole: boolean }

export type AgentSearch = {
  readonly statuses: readonly AgentStatus[]
  /** An agent has all of these words; each may stand for any in its list. */
  readonly words: readonly (readonly Meaning[])[]
  readonly capabilities: readonly string[]
  readonly protocols: readonly string[]
  readonly sort: 'reputation' | 'registered_at' | 'name'
  readonly limit: number
  readonly offset: number
}

export type FoundAgent = { readonly agent: Agent; readonly score: number; readonly verifications: number }

export type DirectoryReads = {
  /** How many agents fit, whatever the page. */
  countAgents(search: AgentSearch): Promise<number>
  searchAgents(search: AgentSearch): Promise<readonly FoundAgent[]>
  /** Those with which no word of any profile begins. */
  strangeWords(words: readonly string[]): Promise<readonly string[]>
  /** Words of profiles that hold each of these, or look like it. */
  alikeWords(words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
}

export type DirectoryWrites = {
  /** Does not wait: skips the agent while another transaction holds its lock. */
  noteSeen(agentId: string, at: Instant): Promise<void>
  /** False when the agent is suspended already. */
  suspendAgent(id: string): Promise<boolean>
  /** The status that the agent has again; null when it is not suspended. */
  reinstateAgent(id: string): Promise<AgentStatus | null>
  /** Makes a pending agent active, and says whether it did; a suspended one comes back as active later. */
  activateAgent(id: string): Promise<boolean>
}
