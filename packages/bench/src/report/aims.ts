import { names } from '../lines/names.ts'

/** A rate compared with other rates of the same run; the smallest of those counts. */
export type Aim = {
  readonly line: string
  readonly against: readonly string[]
  /** What we aim for; null where only the ratio is of interest. */
  readonly atLeast: number | null
}

const WRITES = [names.verify, names.transaction]
/** A list may take 1.5 times as long on a large board as on a small one. */
const FLAT = 1 / 1.5

export const aims = (boards: { readonly small: number; readonly large: number }): readonly Aim[] => [
  { line: names.health, against: [names.plain], atLeast: null },
  { line: names.taskById, against: [names.select], atLeast: 0.6 },
  { line: names.list(boards.small), against: [names.select], atLeast: 0.4 },
  { line: names.list(boards.large), against: [names.select], atLeast: 0.4 },
  { line: names.list(boards.large), against: [names.list(boards.small)], atLeast: FLAT },
  { line: names.create, against: WRITES, atLeast: 0.5 },
  { line: names.claim, against: WRITES, atLeast: 0.5 },
  { line: names.deliver, against: [names.transaction], atLeast: 0.4 },
  { line: names.priceCheck, against: [names.plain], atLeast: 0.5 },
  { line: names.signed402, against: [names.verify], atLeast: 0.5 },
  { line: names.profile, against: [names.select], atLeast: null },
  { line: names.search, against: [names.select], atLeast: null },
  { line: names.chainPage, against: [names.select], atLeast: null },
  { line: names.eventPoll, against: [names.verify], atLeast: null },
  { line: names.report, against: WRITES, atLeast: null },
]
