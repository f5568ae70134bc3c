import { Refusal } from '../domain/refusal.ts'

/** Of two clicks on a button that ends something, the second finds nothing to end: the person gets the page that the first led to. */
export function goneAlready(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'not_found')) throw error
}
