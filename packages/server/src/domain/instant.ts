/** A moment, in milliseconds since 1970. */
export type Instant = number

let last = { instant: 0, text: new Date(0).toISOString() }

/** One change writes the same instant many times, so the last text is cached. */
export function isoTime(instant: Instant): string {
  if (instant !== last.instant) last = { instant, text: new Date(instant).toISOString() }
  return last.text
}

export const isoTimeOrNull = (instant: Instant | null): string | null => (instant === null ? null : isoTime(instant))

export const unixSeconds = (instant: Instant): number => Math.floor(instant / 1000)
