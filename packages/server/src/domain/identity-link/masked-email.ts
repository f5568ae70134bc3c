const ADDRESS = /^([^\s@\p{Cc}\p{Cf}<>"'`]{1,64})@([\p{L}\p{N}.-]{1,253})$/u
const SHORTEST_WITH_LETTER = 3

/** The first letter and the domain; a name so short that one letter would reveal it shows none. Null for what is no address. */
export function maskedEmail(email: string | null): string | null {
  const [, name = '', domain = ''] = ADDRESS.exec(email ?? '') ?? []
  if (domain === '') return null
  const [first = '', ...rest] = name
  return `${rest.length + 1 < SHORTEST_WITH_LETTER ? '' : first}***@${domain.toLowerCase()}`
}
