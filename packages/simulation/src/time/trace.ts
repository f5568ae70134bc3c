import { DAY } from '@guildhall/protocol'

/** What happened, as a running hash, and in words when they are kept. */
export type Trace = {
  /** Something that must only be the same in the next run. */
  mark(what: string, at: number): void
  /** Something for the reader; the words are built only when they are kept. */
  tell(at: number, words: () => string): void
  readonly hash: () => string
  readonly lines: readonly string[]
}

export function createTrace(kept: boolean, begin: number): Trace {
  let one = 0x811c9dc5
  let two = 0x1000193
  const lines: string[] = []

  function mix(text: string): void {
    for (let index = 0; index < text.length; index++) {
      one = Math.imul(one ^ text.charCodeAt(index), 0x01000193)
      two = Math.imul(two ^ one, 0x85ebca6b) ^ (two >>> 13)
    }
  }

  return {
    mark(what, at) {
      one = Math.imul(one ^ (at & 0xffffffff), 0x01000193)
      mix(what)
    },
    tell(at, words) {
      if (kept) lines.push(`${stamp(at - begin)}  ${words()}`)
    },
    hash: () => (one >>> 0).toString(16).padStart(8, '0') + (two >>> 0).toString(16).padStart(8, '0'),
    lines,
  }
}

/** Days and the time of day since the beginning. */
function stamp(ms: number): string {
  const day = Math.floor(ms / DAY)
  return `${String(day).padStart(3)}d ${new Date(ms % DAY).toISOString().slice(11, 23)}`
}
