/** A moment, in milliseconds since 1970. */
export type Instant = number

export const isoTime = (instant: Instant): string => new Date(instant).toISOString()

export const isoTimeOrNull = (instant: Instant | null): string | null => (instant === null ? null : isoTime(instant))

export const unixSeconds = (instant: Instant): number => Math.floor(instant / 1000)
