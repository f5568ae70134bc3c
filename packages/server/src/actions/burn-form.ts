import type { Instant } from '../domain/instant.ts'
import { refuse } from '../domain/refusal.ts'
import type { Transaction } from '../ports/store.ts'

/** A form that counts once, however often it is sent; `mark` identifies it. */
export type SentForm = { readonly mark: Uint8Array; readonly until: Instant }

/** Uses up a form in the transaction of what it asks for. */
export async function burnForm(tx: Transaction, { mark, until }: SentForm): Promise<void> {
  if (!(await tx.burnSignature(mark, until))) refuse('conflict', {}, 'This form was sent before.')
}
