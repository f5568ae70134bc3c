import { canonicalJson, type JsonObject } from '../ledger/canonical-json.ts'
import { signText, verifyText } from './signature-text.ts'

/** The signed text of a document: the canonical JSON of all its fields except `signature`. */
export function documentMessage(document: JsonObject): string {
  const { signature: _, ...signed } = document
  return canonicalJson(signed)
}

/** The document with a base64 Ed25519 `signature` over its other fields, as peer verification reports carry it. */
export function signDocument<Document extends JsonObject>(
  secretKey: Uint8Array,
  document: Document,
): Document & { readonly signature: string } {
  return { ...document, signature: signText(secretKey, documentMessage(document)) }
}

export function verifyDocument(publicKey: Uint8Array, document: JsonObject): boolean {
  if (typeof document.signature !== 'string') return false
  return verifyText(publicKey, documentMessage(document), document.signature)
}
