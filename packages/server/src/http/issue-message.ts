import type { z } from 'zod'

/** Says what a value must be, where its schema has no words of its own for that. */
export const issueMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return ofWrongType(KINDS[issue.expected] ?? issue.expected, issue.input)
    case 'invalid_value':
      return issue.input === undefined
        ? `Missing; ${oneOf(issue.values)} is needed.`
        : `Only ${oneOf(issue.values)} is taken.`
    case 'too_big':
      return `At most ${count(issue.maximum, issue.origin)} allowed.`
    case 'too_small':
      return `At least ${count(issue.minimum, issue.origin)} needed.`
    default:
      return undefined
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function ofWrongType(needed: string, input: unknown): string {
  if (input === undefined) return `Missing; ${needed} is needed.`
  if (typeof input === 'number' && needed === KINDS.int) return 'A whole number is needed.'
  return `${capitalised(needed)} is needed, not ${kindOf(input)}.`
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (typeof input === 'boolean') return String(input)
  return KINDS[Array.isArray(input) ? 'array' : typeof input] ?? typeof input
}

const ALTERNATIVES = new Intl.ListFormat('en', { type: 'disjunction' })

const oneOf = (values: readonly z.core.util.Primitive[]): string =>
  ALTERNATIVES.format(values.map((value) => JSON.stringify(value)))

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: [' character', ' characters'],
  array: [' item', ' items'],
}

function count(limit: number | bigint, origin: string): string {
  const [one, many] = UNITS[origin] ?? ['', '']
  return `${limit}${Number(limit) === 1 ? one : many} ${Number(limit) === 1 || many === '' ? 'is' : 'are'}`
}
