import { DAY, MINUTE } from './limits.ts'

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** A limit in words: `7 days`. */
export const days = (ms: number): string => counted(ms / DAY, 'day')
export const minutes = (ms: number): string => counted(ms / MINUTE, 'minute')
