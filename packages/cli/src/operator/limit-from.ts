import { PlainError } from '../plain-error.ts'

/** The number in --limit. */
export function limitFrom(text: string, most: number): number {
  if (/^[1-9]\d*$/.test(text) && Number(text) <= most) return Number(text)
  throw new PlainError(`--limit is '${text}', but a whole number from 1 to ${most} is needed.`)
}
