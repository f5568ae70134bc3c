/** Something published fails a check; the command ends with code 6. */
export class DoesNotHoldError extends Error {
  override readonly name = 'DoesNotHoldError'
}
