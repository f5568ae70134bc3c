/** An error told in one sentence: a stack trace would not help its reader. */
export class PlainError extends Error {
  override readonly name = 'PlainError'
}
