import { limits } from '../limits.ts'
import { hasHiddenMark, hasInvisible } from './hidden-marks.ts'
import { nameKey } from './name-key.ts'

/** Why a name is refused, in words for the person who chose it. */
export const NAME_PROBLEMS = {
  invisible: 'A name has no control, bidi, zero-width or other invisible characters.',
  characters: 'A name has letters and digits of any script, spaces, dots, underscores and hyphens.',
  marks: 'A name has combining marks only on letters that they belong to, where they can be seen.',
  length: `A name has ${limits.agent.name.min} to ${limits.agent.name.max} characters.`,
  no_letter: 'A name has at least one letter or digit.',
  like_an_id: 'A name does not begin like an agent id (ag_).',
  reserved: 'This name is reserved.',
} as const

export type NameProblem = keyof typeof NAME_PROBLEMS

export type AgentName =
  /** `name` is stored and shown, `key` must be unique. */
  { readonly name: string; readonly key: string } | { readonly problem: NameProblem }

const CHARACTERS = /^[\p{L}\p{Nd}\p{Mn}\p{Mc} ._-]*$/u
const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u
const ID_START = nameKey('ag_')
const RESERVED: ReadonlySet<string> = new Set(['me', 'search'].map(nameKey))

/** A longer text cannot become a name, even after composition. */
const MAX_RAW_LENGTH = limits.agent.name.max * 16

/** The name as stored (NFKC, spaces trimmed and single) with its uniqueness key, or its problem. */
export function normalizeAgentName(text: string): AgentName {
  if (text.length > MAX_RAW_LENGTH) return { problem: 'length' }
  const name = text.normalize('NFKC').replace(/ +/g, ' ').replace(/^ | $/g, '')
  const problem = problemOf(text, name)
  return problem === null ? { name, key: nameKey(name) } : { problem }
}

function problemOf(text: string, name: string): NameProblem | null {
  if (hasInvisible(text) || hasInvisible(name)) return 'invisible'
  if (!CHARACTERS.test(name)) return 'characters'
  const length = Array.from(name).length
  if (length < limits.agent.name.min || length > limits.agent.name.max) return 'length'
  if (!LETTER_OR_DIGIT.test(name)) return 'no_letter'
  if (hasHiddenMark(name)) return 'marks'
  const key = nameKey(name)
  if (key.startsWith(ID_START)) return 'like_an_id'
  return RESERVED.has(key) ? 'reserved' : null
}
