/** A header that came once; null where it is missing or came several times. */
export const headerText = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? header : null
