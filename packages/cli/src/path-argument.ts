import { InvalidArgumentError } from 'commander'

/** An argument that becomes a part of a path, which cannot carry these words. */
export function pathArgument(text: string): string {
  if (['', '.', '..'].includes(text)) throw new InvalidArgumentError('It names nothing.')
  return text
}
