/** Something that is told in one sentence: no stack helps whoever reads it. */
export class PlainError extends Error {
  override readonly name = 'PlainError'
}
