/** Long: on a busy machine a first start takes minutes, and what cannot start ends by itself. */
export const LONGEST_START_MS = 5 * 60_000
