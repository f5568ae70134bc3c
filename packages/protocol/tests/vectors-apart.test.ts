/** The vectors once more, with nothing of this package: node:crypto and the words of the specification. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Cases, readVectors } from './read-vectors.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonRecord = { [key: string]: Json }

const sha256 = (...parts: (Buffer | string)[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
    .digest()
const hex = (...parts: (Buffer | string)[]): string => sha256(...parts).toString('hex')

function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}

function fromBase58(text: string): Buffer {
  let number = 0n
  for (const digit of text)
    number = number * 58n + BigInt('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.indexOf(digit))
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
}

function signatureHolds(publicKey: Buffer, message: string, signature: string): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }
  return verify(
    null,
    Buffer.from(message),
    createPublicKey({ key: jwk, format: 'jwk' }),
    Buffer.from(signature, 'base64'),
  )
}

const pick = (record: JsonRecord, keys: string): JsonRecord =>
  Object.fromEntries(keys.split(' ').map((key) => [key, record[key] ?? null]))

function entryHash(entry: JsonRecord): string {
  const fields = ['sequence', 'previous_hash', 'entry_type', 'agent_id', 'public_key', 'profile_hash', 'timestamp']
  const frames = fields.map((field) => {
    const text = Buffer.from(String(entry[field] ?? ''), 'utf8')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    return Buffer.concat([length, text])
  })
  return hex(...frames)
}

function merkleRoot(hashes: readonly string[]): Buffer {
  if (hashes.length === 0) return sha256('')
  if (hashes.length === 1) return sha256(Buffer.from([0]), Buffer.from(hashes[0] ?? '', 'hex'))
  const k = 2 ** Math.ceil(Math.log2(hashes.length / 2))
  return sha256(Buffer.from([1]), merkleRoot(hashes.slice(0, k)), merkleRoot(hashes.slice(k)))
}

describe('node:crypto alone agrees', () => {
  test('on canonical JSON and its hash', () => {
    for (const { json, canonical: text, sha256: hash, valid } of readVectors<Cases<JsonRecord>>('canonical-json.json')
      .cases) {
      if (!valid) continue
      expect(canonical(JSON.parse(json as string))).toBe(text)
      expect(hex(text as string)).toBe(hash)
    }
  })

  test('on entry hashes', () => {
    for (const { entry, valid } of readVectors<Cases<{ entry: JsonRecord; valid: boolean }>>('entry-hashes.json')
      .cases) {
      expect(entryHash(entry) === entry.entry_hash).toBe(valid)
    }
  })

  test('on what entries commit to', () => {
    type Committed = { document: JsonRecord; profile_hash: string; valid: boolean }
    for (const { document, profile_hash, valid } of readVectors<Cases<Committed>>('entry-documents.json').cases) {
      expect(hex(canonical(document)) === profile_hash).toBe(valid)
    }
  })

  test('on receipts, from public data alone', () => {
    type Receipt = {
      readonly receipt: JsonRecord & { agent_public_key: string; signature: string }
      readonly entry: JsonRecord
      readonly name: string
      readonly valid: boolean
    }
    for (const { receipt, entry, name, valid } of readVectors<Cases<Receipt>>('receipts.json').cases) {
      if (!valid) continue
      const hashed = pick(receipt, 'receipt_id task_id agent_id submission_type payload_hash revision completed_at')
      expect(hex(canonical(hashed))).toBe(entry.profile_hash)
      expect(entryHash(entry)).toBe(receipt.chain_entry_hash)
      if (receipt.payload) expect(hex(canonical(receipt.payload))).toBe(receipt.payload_hash)
      const path = `/v1/tasks/${receipt.task_id}/${name === 'a legacy submission' ? 'submit' : 'deliver'}`
      const nonce = receipt.signed_nonce === null ? '' : `:${receipt.signed_nonce}`
      const message = `POST:${path}:${receipt.signed_timestamp}:${receipt.body_hash}${nonce}`
      expect(signatureHolds(Buffer.from(receipt.agent_public_key, 'hex'), message, receipt.signature)).toBe(true)
    }
  })

  test('on signed requests', () => {
    type Request = {
      readonly message: string
      readonly body: string
      readonly headers: { readonly Authorization: string }
      readonly valid: boolean
    }
    for (const { message, body, headers, valid } of readVectors<Cases<Request>>('agent-signatures.json').cases) {
      if (!valid) continue
      const [key = '', signature = ''] = headers.Authorization.replace('AgentSig ', '').split(':')
      expect(message).toContain(`:1760000000:${hex(body)}`)
      expect(signatureHolds(fromBase58(key), message, signature)).toBe(true)
    }
  })

  test('on checkpoints', () => {
    type Attested = {
      readonly public_key: string
      readonly checkpoint: JsonRecord & { signature: string }
      readonly valid: boolean
    }
    for (const { public_key, checkpoint, valid } of readVectors<Cases<Attested>>('checkpoints.json').cases) {
      const { signature, ...fields } = checkpoint
      const canonicalBase64 = Buffer.from(signature, 'base64').toString('base64') === signature
      expect(canonicalBase64 && signatureHolds(fromBase58(public_key), canonical(fields), signature)).toBe(valid)
    }
  })

  test('on Merkle roots', () => {
    type Merkle = {
      readonly entry_hashes: readonly string[]
      readonly root_hashes: readonly { readonly tree_size: number; readonly root_hash: string }[]
    }
    const { entry_hashes, root_hashes } = readVectors<Merkle>('merkle.json')
    expect(root_hashes.length).toBe(entry_hashes.length + 1)
    for (const { tree_size, root_hash } of root_hashes) {
      expect(merkleRoot(entry_hashes.slice(0, tree_size)).toString('hex')).toBe(root_hash)
    }
  })

  test('on proofs of work', () => {
    type Work = {
      readonly public_key: string
      readonly nonce: string
      readonly difficulty: number
      readonly valid: boolean
    }
    for (const { public_key, nonce, difficulty, valid } of readVectors<Cases<Work>>('proof-of-work.json').cases) {
      const bits = BigInt(`0x${hex(fromBase58(public_key), Buffer.from(nonce, 'hex'))}`)
      const enough = /^[0-9a-f]{8}$/.test(nonce) && bits >> BigInt(256 - difficulty) === 0n
      expect(enough).toBe(valid)
    }
  })
})
