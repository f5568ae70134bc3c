import { API_VERSION, limits } from '@guildhall/protocol'
import type { Outgoing } from '../../ports/outgoing.ts'

export type Json = Readonly<Record<string, unknown>>

export type RegistryAnswer =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unavailable'; readonly cause: string }

export type AskRegistry = (url: string) => Promise<RegistryAnswer>

/** PyPI lists every file of every release in one answer. */
const MAX_BYTES = 8 * 1024 * 1024

/** Asks a registry's API. Anything but a JSON object or a plain 404 counts as no answer. */
export function askThrough(outgoing: Outgoing): AskRegistry {
  const headers = { Accept: 'application/json', 'User-Agent': `Guildhall/${API_VERSION}` }
  return async (url) => {
    const call = { method: 'GET', url, headers, timeoutMs: limits.skill.answerMs, maxBytes: MAX_BYTES } as const
    const outcome = await outgoing(call)
    if (outcome.kind !== 'answer') return unavailable(outcome.reason)
    if (outcome.status === 404) return { kind: 'missing' }
    if (outcome.status !== 200) return unavailable(`The registry answered with status ${outcome.status}.`)
    const value = outcome.cut ? null : parse(outcome.body)
    return value === null ? unavailable('The registry’s answer cannot be read.') : { kind: 'json', value }
  }
}

const unavailable = (cause: string): RegistryAnswer => ({ kind: 'unavailable', cause })

function parse(body: Uint8Array): Json | null {
  try {
    return recordOf(JSON.parse(Buffer.from(body).toString('utf8')))
  } catch {
    return null
  }
}

export const recordOf = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null

/** Untrusted text as one line of limited length, without invisible characters. */
export function lineOf(value: unknown, length: number): string | null {
  if (typeof value !== 'string') return null
  const line = value
    .toWellFormed()
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
  return line === '' ? null : [...line].slice(0, length).join('')
}

export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
