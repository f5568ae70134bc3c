/** The position of a secret in a text: from `start` up to, but not including, `end`. */
export type Secret = { readonly kind: string; readonly start: number; readonly end: number }

/** Called with the amount of work done, so that tests can check that it grows linearly. */
export type Steps = (count: number) => void
