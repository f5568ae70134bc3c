/** Where a secret stands in a text: from `start` up to `end`. */
export type Secret = { readonly kind: string; readonly start: number; readonly end: number }

/** Told how much work was done; the work grows with the length of the text and no faster. */
export type Steps = (count: number) => void
