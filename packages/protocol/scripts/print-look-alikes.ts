/**
 * Prints src/names/look-alikes.ts from Unicode's confusables (UTS 39). The argument is a JSON file that maps each
 * character to its prototype, such as data.json of the npm package unhomoglyph:
 *
 *   node packages/protocol/scripts/print-look-alikes.ts data.json > packages/protocol/src/names/look-alikes.ts
 */
import { readFileSync } from 'node:fs'
import { foldCase } from '../src/names/fold-case.ts'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('name the JSON file of confusables')
const prototypes: Readonly<Record<string, string>> = JSON.parse(readFileSync(path, 'utf8'))

const groups = new Map<string, string[]>()
for (const character of foldedCharacters()) {
  const shape = settledShapeOf(character)
  if (shape !== character) groups.set(shape, [...(groups.get(shape) ?? []), character])
}

process.stdout.write(`/**
 * Characters that look alike. Each line begins with a shape and goes on with the characters that look like it, all as
 * hexadecimal code points, lower case only. Printed by scripts/print-look-alikes.ts from confusables.txt 13.0.0 of the
 * Unicode Consortium (terms: look-alikes.license.txt), as carried by unhomoglyph 1.0.6.
 */
export const lookAlikes = \`
${[...groups].map(([shape, characters]) => `${hex(shape)} ${characters.map(hex).join(' ')}`).join('\n')}
\`
`)

/** Every character that can stand in the folded, decomposed form of a name. */
function* foldedCharacters(): Generator<string> {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint)
    const stable = foldCase(character) === character && character.normalize('NFKD') === character
    if (/^[\p{L}\p{Nd}\p{M}]$/u.test(character) && stable) yield character
  }
}

function settledShapeOf(character: string): string {
  let shape = shapeOf(character)
  for (let next = nextShape(shape); next !== shape; next = nextShape(shape)) shape = next
  return shape
}

function nextShape(shape: string): string {
  return Array.from(shape, shapeOf).join('')
}

/**
 * A name is compared without regard to case, so a letter has the shapes of its small and of its capital form. Where the
 * capital looks like a Latin letter or a digit that decides, for capitals are drawn alike in all scripts; Latin m is rn.
 */
function shapeOf(character: string): string {
  const small = foldCase(prototypeOf(character))
  const capital = foldCase(prototypeOf(character.toUpperCase()))
  if (isLatin(character)) return small === character ? capital : small
  return isLatin(capital) ? capital : small
}

function prototypeOf(text: string): string {
  return Array.from(text.normalize('NFD'), (character) => prototypes[character] ?? character)
    .join('')
    .normalize('NFD')
}

function isLatin(text: string): boolean {
  return /^[a-z0-9]+$/.test(text)
}

function hex(text: string): string {
  return Array.from(text, (character) => character.codePointAt(0)?.toString(16)).join('+')
}
