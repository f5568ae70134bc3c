import type { Agent, AgentStatus } from '../domain/agent/agent.ts'
import type { Instant } from '../domain/instant.ts'

/** Matches the word, or unless `isWhole` any word that begins with it. */
export type Meaning = { readonly word: string; readonly isWhole: boolean }

export type AgentSearch = {
  readonly statuses: readonly AgentStatus[]
  /** Every list has to match; one of its meanings is enough. */
  readonly words: readonly (readonly Meaning[])[]
  readonly capabilities: readonly string[]
  readonly protocols: readonly string[]
  readonly sort: 'reputation' | 'registered_at' | 'name'
  readonly limit: number
  readonly offset: number
}

export type FoundAgent = { readonly agent: Agent; readonly score: number; readonly verifications: number }

export type DirectoryReads = {
  /** How many agents match, on all pages together. */
  countAgents(search: AgentSearch): Promise<number>
  searchAgents(search: AgentSearch): Promise<readonly FoundAgent[]>
  /** The words that are not the beginning of any word in a profile. */
  strangeWords(words: readonly string[]): Promise<readonly string[]>
  /** For each word, the words in profiles that contain it or look like it. */
  alikeWords(words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
}

export type DirectoryWrites = {
  /** Does not wait: skips the agent while another transaction holds its lock. */
  noteSeen(agentId: string, at: Instant): Promise<void>
  /** False when the agent is suspended already. */
  suspendAgent(id: string): Promise<boolean>
  /** Returns the restored status; null when the agent is not suspended. */
  reinstateAgent(id: string): Promise<AgentStatus | null>
  /** Makes a pending agent active and returns whether it did; a suspended one will be active when it is reinstated. */
  activateAgent(id: string): Promise<boolean>
}
