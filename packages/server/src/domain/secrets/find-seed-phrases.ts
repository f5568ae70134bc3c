import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Secret, Steps } from './secret.ts'

const WORDS: ReadonlySet<string> = new Set(wordlist)
const SHORTEST_PHRASE = 12
const LONGEST_WORD = 8
const isLetter = (character: string): boolean =>
  (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')

/** Twelve or more words of the BIP-39 list in a row, whatever separates or numbers them. */
export function findSeedPhrases(text: string, steps: Steps): readonly Secret[] {
  steps(2 * text.length)
  const found: Secret[] = []
  let row = { start: 0, end: 0, words: 0 }
  const close = () => {
    if (row.words >= SHORTEST_PHRASE) found.push({ kind: 'seed phrase', start: row.start, end: row.end })
    row = { start: 0, end: 0, words: 0 }
  }
  for (let start = 0; start < text.length; start++) {
    if (!isLetter(text.charAt(start))) continue
    const end = endOfWord(text, start)
    const isSeedWord = end - start <= LONGEST_WORD && WORDS.has(text.slice(start, end).toLowerCase())
    if (isSeedWord) row = { start: row.words === 0 ? start : row.start, end, words: row.words + 1 }
    else close()
    start = end
  }
  close()
  return found
}

function endOfWord(text: string, start: number): number {
  let end = start
  while (end < text.length && isLetter(text.charAt(end))) end++
  return end
}
