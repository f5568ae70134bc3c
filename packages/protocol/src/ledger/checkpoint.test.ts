import { expect, test } from 'vitest'
import { generateKey } from '../signing/ed25519.ts'
import { checkpointMessage, signCheckpoint, verifyCheckpoint } from './checkpoint.ts'

const { secretKey, publicKey } = generateKey(new Uint8Array(32).fill(11))
const fields = {
  sequence: 2,
  entry_hash: 'ab'.repeat(32),
  tree_size: 2,
  root_hash: 'cd'.repeat(32),
  issued_at: '2026-01-01T00:00:00.000Z',
}

test('a checkpoint is signed over the canonical JSON of its other fields', () => {
  const checkpoint = signCheckpoint(secretKey, fields)
  expect(checkpointMessage(checkpoint)).toBe(
    `{"entry_hash":"${'ab'.repeat(32)}","issued_at":"2026-01-01T00:00:00.000Z","root_hash":"${'cd'.repeat(32)}","sequence":2,"tree_size":2}`,
  )
  expect(verifyCheckpoint(publicKey, checkpoint)).toBe(true)
})

test('a checkpoint holds for its key and its fields alone', () => {
  const checkpoint = signCheckpoint(secretKey, fields)
  const changes = [
    { sequence: 3 },
    { entry_hash: 'ac'.repeat(32) },
    { tree_size: 3 },
    { root_hash: 'ce'.repeat(32) },
    { issued_at: '' },
    { issued_at: '\ud800' },
    { signature: '' },
  ]
  for (const change of changes) expect(verifyCheckpoint(publicKey, { ...checkpoint, ...change })).toBe(false)
  expect(verifyCheckpoint(generateKey().publicKey, checkpoint)).toBe(false)
})
