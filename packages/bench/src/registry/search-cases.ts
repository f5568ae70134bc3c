import { inventedWord } from './invented-profiles.ts'

const capability = (nr: number): string => `can-${inventedWord(nr)}`
const without = (word: string, place: number): string => word.slice(0, place) + word.slice(place + 1)

/** Searches, from what everybody matches to what nobody matches. */
export const searchCases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'everybody, by reputation': {},
  'everybody, by name': { sort: 'name' },
  'everybody, a late page': { limit: '20', page: '4000' },
  'the commonest word': { q: inventedWord(0) },
  'two common words': { q: `${inventedWord(0)} ${inventedWord(1)}` },
  'a word of some': { q: inventedWord(100) },
  'a rare word': { q: inventedWord(20_000) },
  'a mistyped word': { q: without(inventedWord(20_000), 3) },
  'a part of a word': { q: inventedWord(20_001).slice(2) },
  'a word of nobody': { q: 'qzxwvkjh' },
  'the commonest capability': { capabilities: capability(0) },
  'two capabilities': { capabilities: `${capability(0)},${capability(1)}` },
  'a rare capability': { capabilities: capability(250) },
  'a capability and a protocol': { capabilities: capability(2), protocols: 'mcp' },
  'a capability and a word': { capabilities: capability(5), q: inventedWord(30) },
}
