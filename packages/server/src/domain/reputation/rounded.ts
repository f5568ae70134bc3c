const MILLIONTHS = 1_000_000

/** Six decimals: three more than anybody compares. */
export const rounded = (value: number): number => Math.round(value * MILLIONTHS) / MILLIONTHS
