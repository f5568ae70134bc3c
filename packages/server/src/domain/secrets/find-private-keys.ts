import type { Secret, Steps } from './secret.ts'

const BEGIN = 'BEGIN'
const END = 'END'
const NAME = 'PRIVATE KEY'
/** How far after BEGIN or END the label may be. */
const LABEL = 60

/** PEM and PGP blocks from BEGIN to END, or to the end of the text when they are cut off. */
export function findPrivateKeys(text: string, steps: Steps): readonly Secret[] {
  const found: Secret[] = []
  let from = 0
  for (;;) {
    const start = labelled(text, BEGIN, from, steps)
    if (start === null) return found
    const close = labelled(text, END, start + BEGIN.length, steps)
    const end = close === null ? text.length : endOfLabel(text, close)
    found.push({ kind: 'private key', start, end })
    from = end
  }
}

/** The next position of a word that is followed by a private key's label. */
function labelled(text: string, word: string, from: number, steps: Steps): number | null {
  let place = text.indexOf(word, from)
  while (place !== -1) {
    steps(LABEL)
    if (text.slice(place, place + LABEL).includes(NAME)) break
    place = text.indexOf(word, place + word.length)
  }
  steps((place === -1 ? text.length : place) - from)
  return place === -1 ? null : place
}

function endOfLabel(text: string, close: number): number {
  const name = text.indexOf(NAME, close)
  return Math.min(text.length, name + NAME.length)
}
