import { DAY, HOUR, MINUTE } from '@guildhall/protocol'
import { type Html, html } from '../html.ts'
import { time } from './time.ts'

const UNITS = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
] as const

/** Rounds up what is nearly a whole unit away: a task that was just posted for 60 days expires in 60 days, not in 59. */
const NEARLY = 1 / 24

/** How far away a time is: `in 3 days`, `2 hours ago`. */
export function distance(iso: string, now: number): string {
  const ms = Date.parse(iso) - now
  const ahead = ms > 0
  const counts = UNITS.map(([unit, name]) => ({
    count: Math.floor(Math.abs(ms) / unit + (ahead ? NEARLY : 0)),
    name,
  }))
  const { count, name } = counts.find(({ count }) => count >= 2) ?? { count: counts.at(-1)?.count ?? 0, name: 'minute' }
  if (count === 0) return ahead ? 'in a moment' : 'just now'
  const words = `${count} ${name}${count === 1 ? '' : 's'}`
  return ahead ? `in ${words}` : `${words} ago`
}

/** Both: how far away, and when exactly. */
export const deadline = (iso: string, now: number): Html =>
  html`<span class="deadline">${distance(iso, now)}</span> (${time(iso)})`
