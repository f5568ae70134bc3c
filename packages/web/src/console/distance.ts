import { DAY, HOUR, MINUTE } from '@guildhall/protocol'
import { type Html, html } from '../html.ts'
import { time } from './time.ts'

/** How far away a time is: `in 3 days`, `2 hours ago`. */
export function distance(iso: string, now: number): string {
  const ms = Date.parse(iso) - now
  const size = Math.abs(ms)
  const [count, unit] =
    size >= 2 * DAY
      ? [Math.floor(size / DAY), 'day']
      : size >= 2 * HOUR
        ? [Math.floor(size / HOUR), 'hour']
        : [Math.floor(size / MINUTE), 'minute']
  if (count === 0) return ms > 0 ? 'in a moment' : 'just now'
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`
  return ms > 0 ? `in ${words}` : `${words} ago`
}

/** Both: how far away, and when exactly. */
export const deadline = (iso: string, now: number): Html =>
  html`<span class="deadline">${distance(iso, now)}</span> (${time(iso)})`
