import type { Profile } from '../agent/agent.ts'

/** Letters and digits of any script; + and # belong to names such as C++ and C#. */
const WORD = /[\p{L}\p{M}\p{N}+#]+/gu
const LONGEST = 64

/** The distinct words of a text in order, normalised for comparison: NFKC and lower case. */
export function wordsOf(text: string): readonly string[] {
  const found = text.normalize('NFKC').toLowerCase().match(WORD) ?? []
  return [...new Set(found.map((word) => Array.from(word).slice(0, LONGEST).join('')))]
}

/** Every word by which an agent is found; one with accents is found without them, too. */
export function wordsOfProfile(profile: Profile): readonly string[] {
  const words = wordsOf(
    [
      profile.name,
      profile.description,
      profile.organization ?? '',
      ...profile.capabilities,
      ...profile.protocols,
      ...profile.tags,
      ...profile.skills.map(({ name }) => name),
    ].join(' '),
  )
  return [...new Set([...words, ...words.map(withoutAccents).filter((word) => word !== '')])]
}

/** Marks that Latin, Greek and Cyrillic letters bear; those of other scripts make other letters. */
const ACCENTS = /[\u0300-\u036f]/g

const withoutAccents = (word: string): string => word.normalize('NFD').replace(ACCENTS, '').normalize('NFC')
