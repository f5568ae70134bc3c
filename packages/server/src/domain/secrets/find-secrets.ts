import { findAssigned } from './find-assigned.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import { findSeedPhrases } from './find-seed-phrases.ts'
import { findTokens } from './find-tokens.ts'
import { joinLines, type Readable, readable } from './readable-text.ts'
import { runsOf } from './runs.ts'
import type { Secret, Steps } from './secret.ts'

const SHORTEST_WRAPPED = 24

/**
 * Everything in a text that looks like a secret. Each search passes over the text a fixed number of times, whatever it contains:
 * no text makes this slow.
 */
export function findSecrets(written: string, steps: Steps = () => {}): readonly Secret[] {
  const plain = readable(written)
  const joined = joinLines(plain, written)
  steps(plain.text.length + joined.text.length)
  const found = [
    ...inWritten(plain, search(plain.text, false, steps)),
    ...inWritten(joined, search(joined.text, true, steps)),
  ]
  return merged(found)
}

function search(text: string, joined: boolean, steps: Steps): readonly Secret[] {
  const runs = runsOf(text)
  steps(8 * text.length)
  return [
    ...findPrivateKeys(text, steps),
    ...findSeedPhrases(text, steps),
    ...findTokens(text, runs, joined, steps),
    ...findAssigned(text, runs, steps),
    ...findWrapped(text, runs.base64, steps),
  ]
}

/** Secrets inside one layer of base64. */
function findWrapped(text: string, ends: Uint32Array, steps: Steps): readonly Secret[] {
  const found: Secret[] = []
  for (let start = 0; start < text.length; start = Math.max(start + 1, ends[start] ?? 0)) {
    const end = ends[start] ?? start
    if (end - start < SHORTEST_WRAPPED) continue
    const inner = Buffer.from(text.slice(start, end), 'base64').toString('latin1')
    const runs = runsOf(inner)
    steps(9 * inner.length)
    const [secret] = [
      ...findPrivateKeys(inner, steps),
      ...findSeedPhrases(inner, steps),
      ...findTokens(inner, runs, false, steps),
    ]
    if (secret) found.push({ kind: secret.kind, start, end })
  }
  return found
}

const inWritten = ({ origin }: Readable, secrets: readonly Secret[]): readonly Secret[] =>
  secrets.map(({ kind, start, end }) => ({ kind, start: origin[start] ?? 0, end: (origin[end - 1] ?? 0) + 1 }))

/** Sorted and without overlaps; of two that overlap, the first one's kind is kept. */
function merged(secrets: readonly Secret[]): readonly Secret[] {
  const apart: Secret[] = []
  for (const secret of [...secrets].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1)
    if (last && secret.start < last.end) apart[apart.length - 1] = { ...last, end: Math.max(last.end, secret.end) }
    else apart.push(secret)
  }
  return apart
}
