export type Fields = Readonly<Record<string, unknown>>

/** Whether an untrusted value is an object with named fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
