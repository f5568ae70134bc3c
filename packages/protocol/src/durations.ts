/** In milliseconds, as every duration here. */
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** A limit in words: `7 days`. */
export const days = (ms: number): string => counted(ms / DAY, 'day')
export const minutes = (ms: number): string => counted(ms / MINUTE, 'minute')
