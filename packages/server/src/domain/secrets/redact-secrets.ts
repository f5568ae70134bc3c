import { findSecrets } from './find-secrets.ts'

/** The text with every secret replaced by its kind. */
export function redactSecrets(text: string): string {
  let redacted = ''
  let from = 0
  for (const { kind, start, end } of findSecrets(text)) {
    redacted += `${text.slice(from, start)}[redacted ${kind}]`
    from = end
  }
  return redacted + text.slice(from)
}
