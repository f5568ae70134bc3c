import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '@guildhall/protocol'

/** The service broke its own contract; thrown only where answers are checked. */
export class ContractBrokenError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ContractBrokenError'
  }
}

/** What is wrong with a success answer, or null: it must match the declaration, without extra fields. */
export function problemOfAnswer(declared: Endpoint, text: string): string | null {
  const sent: unknown = JSON.parse(text)
  const result = declared.returns.safeParse(sent)
  if (!result.success) return result.error.message
  const declaredPart: unknown = JSON.parse(JSON.stringify(result.data))
  return isDeepStrictEqual(declaredPart, sent)
    ? null
    : `fields that are not declared: ${undeclared(sent, declaredPart)}`
}

/** The paths that were sent but are not declared. */
function undeclared(sent: unknown, declared: unknown, path = ''): string {
  if (typeof sent !== 'object' || sent === null || typeof declared !== 'object' || declared === null) return ''
  const known = declared as Record<string, unknown>
  return Object.entries(sent)
    .map(([key, value]) =>
      Object.hasOwn(known, key) ? undeclared(value, known[key], `${path}${key}.`) : `${path}${key}`,
    )
    .filter((found) => found !== '')
    .join(', ')
}
