export type Fields = Readonly<Record<string, unknown>>

/** Whether something from outside is an object with named fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
