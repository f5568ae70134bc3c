import type { ServiceCall } from './call-service.ts'

/** A payment that was sent and whose outcome is unknown: a retry of the same call uses it and no other. */
export type Unanswered = { readonly call: ServiceCall; readonly payment: string }

export type UnansweredStore = { get(): Unanswered | null; set(value: Unanswered | null): void }

/**
 * Kept for as long as the tab is open, so that a reload does not lead to a second payment. The purpose names the person, too: somebody
 * else may sign in here.
 */
export function keepUnanswered(
  purpose: string,
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): UnansweredStore {
  const name = `unanswered payment ${purpose}`
  let current = JSON.parse(storage.getItem(name) ?? 'null') as Unanswered | null
  return {
    get: () => current,
    set(value) {
      current = value
      if (value === null) storage.removeItem(name)
      else storage.setItem(name, JSON.stringify(value))
    },
  }
}
