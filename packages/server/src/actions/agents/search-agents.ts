import { limits } from '@guildhall/protocol'
import { meantWords } from '../../domain/search/meant-words.ts'
import { wordsOf } from '../../domain/search/words-of.ts'
import type { AgentSearch, FoundAgent, Meaning } from '../../ports/directory-store.ts'
import type { Reader } from '../../ports/store.ts'

export type SearchRequest = Omit<AgentSearch, 'words'> & { readonly text: string | null }
export type SearchResult = { readonly total: number; readonly agents: readonly FoundAgent[] }

const NOTHING: SearchResult = { total: 0, agents: [] }

/** Agents that match every condition; a word that no profile has is replaced by similar words that profiles have. */
export async function searchAgents(store: Reader, { text, ...request }: SearchRequest): Promise<SearchResult> {
  const words = text === null ? [] : await meaningsOf(store, text)
  if (text !== null && (words.length === 0 || words.some((meanings) => meanings.length === 0))) return NOTHING
  const search = { ...request, words }
  const total = await store.countAgents(search)
  return total <= search.offset ? { total, agents: [] } : { total, agents: await store.searchAgents(search) }
}

/** Only the first words of a long text count. */
async function meaningsOf(store: Reader, text: string): Promise<AgentSearch['words']> {
  const words = wordsOf(text).slice(0, limits.search.words)
  const strange = await store.strangeWords(words)
  const alike = strange.length === 0 ? null : await store.alikeWords(strange)
  const guesses = (word: string) => meantWords(word, alike?.get(word) ?? []).map(whole)
  return words.map((word) => (strange.includes(word) ? guesses(word) : [asTyped(word)]))
}

const whole = (word: string): Meaning => ({ word, isWhole: true })

/** A single ASCII letter or digit matches only as a whole word: as a prefix it would match half of all profiles. */
const asTyped = (word: string): Meaning => ({ word, isWhole: /^[a-z0-9]$/.test(word) })
