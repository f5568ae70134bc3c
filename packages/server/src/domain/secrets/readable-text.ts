/** A text as a careful reader sees it; its character `i` was at `origin[i]` of the original. */
export type Readable = { readonly text: string; readonly origin: readonly number[] }

const INVISIBLE = /\u034F|[\uFE00-\uFE0F]|[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/
const DASH = /[\u2010-\u2015\u2043\u2212\uFE58\uFE63\uFF0D]/
const SPACE = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/
const LINE_END = /[\u0085\u2028\u2029]/
const FULL_WIDTH = /[\uFF01-\uFF5E]/
const FULL_WIDTH_BY = 0xfee0

/** Drops invisible characters, and replaces look-alikes by their plain form: dashes, spaces, line ends, full-width letters. */
export function readable(written: string): Readable {
  const characters: string[] = []
  const origin: number[] = []
  for (let place = 0; place < written.length; place++) {
    const shown = plainForm(written.charAt(place))
    if (shown === '') continue
    characters.push(shown)
    origin.push(place)
  }
  return { text: characters.join(''), origin }
}

function plainForm(character: string): string {
  if (character < '\u0080') return character
  if (INVISIBLE.test(character)) return ''
  if (DASH.test(character)) return '-'
  if (SPACE.test(character)) return ' '
  if (LINE_END.test(character)) return '\n'
  return FULL_WIDTH.test(character) ? String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_BY) : character
}

/** Joins the lines, to find a secret that was broken at a line end or hyphenated. */
export function joinLines({ text, origin }: Readable, written: string): Readable {
  const characters: string[] = []
  const origins: number[] = []
  const drop = () => {
    characters.pop()
    origins.pop()
  }
  let place = 0
  while (place < text.length) {
    const next = afterLineEnd(text, place)
    if (next > place) {
      while (isBlank(characters.at(-1))) drop()
      if (characters.at(-1) === '-') drop()
      place = next
      continue
    }
    const typeset = text[place] === '-' && written[origin[place] ?? 0] !== '-'
    if (!typeset) {
      characters.push(text.charAt(place))
      origins.push(origin[place] ?? 0)
    }
    place++
  }
  return { text: characters.join(''), origin: origins }
}

/**
 * The position after a line end and the indentation or quote marks (>) of the next line; `place` itself where no line ends, or
 * an empty line follows.
 */
function afterLineEnd(text: string, place: number): number {
  const end = place + lengthOfLineEnd(text, place)
  if (end === place) return place
  let next = end
  while (isBlank(text[next]) || text[next] === '>') next++
  return lengthOfLineEnd(text, next) > 0 ? place : next
}

/** Logs and JSON write a line end as backslash and n; Windows uses two characters. */
function lengthOfLineEnd(text: string, place: number): number {
  if (text[place] === '\r') return text[place + 1] === '\n' ? 2 : 1
  if (text[place] === '\n') return 1
  return text[place] === '\\' && text[place + 1] === 'n' ? 2 : 0
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'
