import type { Instant } from '../domain/instant.ts'

let second = Number.NaN
let text = ''

/** The time as the Date header writes it; made once a second, not once an answer. */
export function httpDate(now: Instant): string {
  const current = Math.floor(now / 1000)
  if (current !== second) {
    second = current
    text = new Date(current * 1000).toUTCString()
  }
  return text
}
