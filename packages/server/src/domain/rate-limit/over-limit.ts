import type { RateLimit } from '@guildhall/protocol'
import { Refusal } from '../refusal.ts'

/** Refused because of this limit: the answer names it, and not one that would have let the call pass. */
export class OverLimit extends Refusal {
  readonly limit: RateLimit
  readonly resetSeconds: number

  constructor(
    limit: RateLimit,
    resetSeconds: number,
    message = `Too many requests; try again ${inWords(resetSeconds)}.`,
  ) {
    super('rate_limited', { retry_after_seconds: resetSeconds }, message)
    this.limit = limit
    this.resetSeconds = resetSeconds
  }
}

const UNITS = [
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** Programs read Retry-After; people see no headers. */
function inWords(seconds: number): string {
  const [size, name] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, 'second']
  const count = Math.ceil(seconds / size)
  return `in ${count} ${name}${count === 1 ? '' : 's'}`
}
