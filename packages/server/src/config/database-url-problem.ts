/** Why this is not the address of a PostgreSQL, or null. The driver would look for one without a scheme at a host named `base`. */
export function databaseUrlProblem(url: string): string | null {
  const isSocket = url.startsWith('/') || url.startsWith('socket:')
  // The driver takes an address without a host, too: postgresql://user@/guildhall.
  const isAddress = /^postgres(ql)?:\/\//.test(url) && URL.canParse(url.replace('@/', '@host/'))
  return isSocket || isAddress ? null : NO_ADDRESS
}

/** Does not repeat the address: there may be a password in it. */
const NO_ADDRESS =
  'DATABASE_URL is not the address of a PostgreSQL, such as postgresql://user@host/guildhall. In a password, characters such as / # ? are written as %2F %23 %3F.'
