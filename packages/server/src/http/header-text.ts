/** The value of a header that was sent once; null when it is missing or repeated. */
export const headerText = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? header : null
