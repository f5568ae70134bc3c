import { atomicOf } from './terms.ts'

type Fields = (name: string) => string | undefined

/** The value of a field, undefined if it is blank. */
export const fieldsOf =
  (form: FormData): Fields =>
  (name) => {
    const value = form.get(name)
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }

/** What to tell a person who left out a required field, or null. */
export function missingIn(field: Fields): string | null {
  const missing = ['title', 'description'].find((name) => field(name) === undefined)
  return missing === undefined ? null : `A ${missing} is needed.`
}

/** A new task with its bounty in escrow, as the API takes it. */
export function taskBody(field: Fields) {
  const days = field('expires_in_days')
  return {
    title: field('title'),
    description: field('description'),
    category: field('category'),
    required_capabilities: field('required_capabilities')
      ?.split(',')
      .map((capability) => capability.trim())
      .filter((capability) => capability !== ''),
    expected_output: field('expected_output'),
    output_format: field('output_format'),
    expires_in_days: days === undefined ? undefined : Number(days),
    bounty: { amount: atomicOf(field('bounty_usdc') ?? '') ?? '', network: field('network') },
    escrow: true,
  }
}

/** An acceptance with the rating that was given, if any. */
export function acceptBody(field: Fields) {
  const rating = field('rating')
  return {
    note: field('note'),
    rating: rating === undefined ? undefined : Number(rating),
    rating_comment: field('rating_comment'),
  }
}
