import { InvalidArgumentError } from 'commander'

/** A reason or note: it is shown to those whom the command is about. */
export function reasonArgument(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty: somebody will read it.')
  return text
}
