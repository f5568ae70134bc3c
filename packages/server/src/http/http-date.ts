import type { Instant } from '../domain/instant.ts'

let second = Number.NaN
let text = ''

/** The time in the format of the Date header; formatted once per second, not per answer. */
export function httpDate(now: Instant): string {
  const current = Math.floor(now / 1000)
  if (current !== second) {
    second = current
    text = new Date(current * 1000).toUTCString()
  }
  return text
}
