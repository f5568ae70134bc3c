import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entryHash, type HashedEntryFields, NO_PREVIOUS_HASH } from './entry.ts'

const entry: HashedEntryFields = {
  sequence: 2,
  previous_hash: 'ab'.repeat(32),
  entry_type: 'registration',
  agent_id: 'ag_x',
  public_key: 'x',
  profile_hash: 'cd'.repeat(32),
  timestamp: '2026-01-01T00:00:00.000Z',
}

function framed(text: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(text))
  return Buffer.concat([length, Buffer.from(text, 'utf8')])
}

describe('an entry hash', () => {
  test('is sha256 over seven fields in order, each behind its 4-byte length in bytes', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (sequence, agent, type) => {
          const fields = { ...entry, sequence, agent_id: agent, entry_type: type }
          const texts = [`${sequence}`, entry.previous_hash, type, agent, 'x', 'cd'.repeat(32), entry.timestamp]
          const expected = createHash('sha256')
            .update(Buffer.concat(texts.map(framed)))
            .digest('hex')
          expect(entryHash(fields)).toBe(expected)
        },
      ),
    )
  })

  test('takes an absent field as empty text', () => {
    const { agent_id: _, ...without } = entry
    const hash = entryHash({ ...entry, agent_id: '' })
    expect(entryHash(without)).toBe(hash)
    expect(entryHash({ ...entry, agent_id: null })).toBe(hash)
    expect(hash).not.toBe(entryHash(entry))
  })

  test('changes with every hashed field, and text cannot move from one field into the next', () => {
    const changes: Partial<HashedEntryFields>[] = [
      { sequence: 3 },
      { previous_hash: NO_PREVIOUS_HASH },
      { entry_type: 'genesis' },
      { agent_id: 'ag_y' },
      { public_key: 'y' },
      { profile_hash: 'ce'.repeat(32) },
      { timestamp: '2026-01-01T00:00:00.001Z' },
      { agent_id: 'ag_', public_key: 'xx' },
    ]
    const hashes = [entry, ...changes.map((change) => ({ ...entry, ...change }))].map(entryHash)
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
