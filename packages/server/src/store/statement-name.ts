import { createHash } from 'node:crypto'

const names = new Map<string, string>()

/** A statement is prepared once per connection, under a name that follows from its text. */
export function statementName(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `s_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  names.set(text, name)
  return name
}
