import { foldCase } from './fold-case.ts'
import { lookAlikes } from './look-alikes.ts'

const shapes = readShapes()

/**
 * Two names with the same key look alike or differ only in letter case, and cannot both be taken: Cyrillic а is Latin a, 0 is O,
 * and l, 1, I (so i too) are one. Only for comparison, never shown. Greek Ν and Υ count as N and Y, so a small ν or υ is not
 * compared with v or u.
 */
export function nameKey(name: string): string {
  const folded = foldCase(name.normalize('NFKC')).normalize('NFD')
  const plain = folded.replace(DOT_ON_DOTTED, '$1')
  return Array.from(plain, (character) => shapes.get(character) ?? character)
    .join('')
    .normalize('NFC')
}

/** i and j lose their own dot under a combining one, so it cannot be seen. */
const DOT_ON_DOTTED = /(\p{Soft_Dotted})\u0307/gu

function readShapes(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of lookAlikes.trim().split('\n')) {
    const [shape = '', ...characters] = line.split(' ').map(fromCodePoints)
    for (const character of characters) found.set(character, shape)
  }
  return found
}

function fromCodePoints(hex: string): string {
  return String.fromCodePoint(...hex.split('+').map((codePoint) => Number.parseInt(codePoint, 16)))
}
