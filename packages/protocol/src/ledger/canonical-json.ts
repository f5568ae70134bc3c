import { utf8ToBytes } from '@noble/hashes/utils.js'
import canonicalize from 'canonicalize'
import { sha256Hex } from '../sha256.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }

/** The canonical text of a JSON value (RFC 8785). Nulls are kept; lone surrogates and numbers that are not finite throw. */
export function canonicalJson(value: JsonValue): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

/** Whether a value has a canonical text: nobody can have hashed or signed one that has none. */
export function isCanonical(value: JsonValue): boolean {
  try {
    return canonicalJson(value) !== ''
  } catch {
    return false
  }
}

/** Lower-case hex sha256 of the canonical JSON: what the ledger means by the hash of a document. */
export function hashDocument(document: JsonValue): string {
  return hashText(canonicalJson(document))
}

/** Lower-case hex sha256 of the UTF-8 of a text. */
export function hashText(text: string): string {
  return sha256Hex(utf8ToBytes(text))
}
