const FIRST_MS = 250
const LONGEST_MS = 8_000

/**
 * How long to wait before the next attempt: as the service says, else longer each time; with jitter, so that callers spread out.
 */
export function waitingTime(sent: number, afterSeconds: number | null, random: () => number): number {
  if (afterSeconds !== null) return Math.round(afterSeconds * 1000 * (1 + random() / 10))
  return Math.round(Math.min(FIRST_MS * 2 ** (sent - 1), LONGEST_MS) * (0.5 + random() / 2))
}
