import { createHash } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyRoot, growingTree, type HashedTreeNode, leafHash } from './merkle.ts'
import {
  consistencyProof,
  inclusionProof,
  type NodeSource,
  planConsistency,
  planInclusion,
  rootFrom,
} from './merkle-proof.ts'
import { verifyConsistency, verifyInclusion } from './verify-merkle-proof.ts'

const SIZE = 70
const entryHashes = Array.from({ length: SIZE }, (_, i) => createHash('sha256').update(`entry ${i}`).digest('hex'))
const stored = new Map<string, HashedTreeNode>()
const roots: Uint8Array[] = [emptyRoot()]
const tree = growingTree()
for (const entryHash of entryHashes) {
  for (const node of tree.append(leafHash(entryHash))) stored.set(`${node.level}/${node.index}`, node)
  roots.push(tree.root())
}

const hashAt: NodeSource = (level, index) => {
  const node = stored.get(`${level}/${index}`)
  if (node === undefined) throw new Error(`node ${level}/${index} was never full`)
  return node.hash
}
const rootOf = (size: number): Uint8Array => roots[size] ?? emptyRoot()
const sizes = fc.integer({ min: 1, max: SIZE })

/** The definition of RFC 6962 section 2.1, word for word. */
function definedRoot(hashes: readonly string[]): Buffer {
  const [only] = hashes
  const hash = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
  if (only === undefined) return hash()
  if (hashes.length === 1) return hash(Buffer.from([0]), Buffer.from(only, 'hex'))
  let k = 1
  while (k * 2 < hashes.length) k *= 2
  return hash(Buffer.from([1]), definedRoot(hashes.slice(0, k)), definedRoot(hashes.slice(k)))
}

describe('the tree', () => {
  test('has the root of RFC 6962 at every size, grown or read from its nodes', () => {
    for (let size = 0; size <= SIZE; size++) {
      const defined = definedRoot(entryHashes.slice(0, size)).toString('hex')
      expect(bytesToHex(rootOf(size))).toBe(defined)
      expect(bytesToHex(rootFrom(size, hashAt))).toBe(defined)
    }
  })

  test('gives every full node exactly once', () => {
    const full = Array.from({ length: 7 }, (_, level) => Math.floor(SIZE / 2 ** level)).reduce((sum, n) => sum + n, 0)
    expect(stored.size).toBe(full)
    expect(tree.size()).toBe(SIZE)
  })
})

describe('an inclusion proof', () => {
  test('holds for every entry of every size, and for no other entry, place, size or root', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (treeSize, a, b) => {
        const [leafIndex, other] = [a % treeSize, b % SIZE]
        const proof = inclusionProof(leafIndex, treeSize, hashAt)
        const claim = { entryHash: entryHashes[leafIndex] ?? '', leafIndex, treeSize, root: rootOf(treeSize) }
        expect(verifyInclusion(claim, proof)).toBe(true)
        const isOther = other !== leafIndex
        if (isOther) expect(verifyInclusion({ ...claim, entryHash: entryHashes[other] ?? '' }, proof)).toBe(false)
        if (isOther) expect(verifyInclusion({ ...claim, leafIndex: other }, proof)).toBe(false)
        expect(verifyInclusion({ ...claim, root: rootOf(treeSize - 1) }, proof)).toBe(false)
        expect(verifyInclusion(claim, [...proof, rootOf(1)])).toBe(false)
        if (proof.length > 0) expect(verifyInclusion(claim, proof.slice(1))).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('is refused when it makes no sense', () => {
    const claim = { entryHash: entryHashes[0] ?? '', leafIndex: 0, treeSize: 1, root: rootOf(1) }
    expect(verifyInclusion(claim, [])).toBe(true)
    for (const bad of [{ leafIndex: 1 }, { leafIndex: -1 }, { leafIndex: 0.5 }, { treeSize: 0 }, { entryHash: 'x' }]) {
      expect(verifyInclusion({ ...claim, ...bad }, [])).toBe(false)
    }
    for (const [leaf, size] of [
      [1, 1],
      [-1, 3],
      [0, 0],
      [0.5, 2],
    ] as const)
      expect(() => planInclusion(leaf, size)).toThrow(RangeError)
  })
})

describe('a consistency proof', () => {
  test('holds between any two sizes, and for no other roots', () => {
    fc.assert(
      fc.property(sizes, sizes, (a, b) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)].map((size) => ({ size, root: rootOf(size) }))
        if (first === undefined || second === undefined) return
        const proof = consistencyProof(first.size, second.size, hashAt)
        expect(verifyConsistency(first, second, proof)).toBe(true)
        expect(verifyConsistency({ ...first, root: rootOf(first.size - 1) }, second, proof)).toBe(false)
        expect(verifyConsistency(first, { ...second, root: rootOf(second.size - 1) }, proof)).toBe(false)
        expect(verifyConsistency(first, second, [...proof, rootOf(1)])).toBe(false)
        if (proof.length > 0) expect(verifyConsistency(first, second, proof.slice(0, -1))).toBe(false)
        if (first.size !== second.size) expect(verifyConsistency(second, first, proof)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('is not made for sizes that were never', () => {
    for (const [from, to] of [
      [0, 2],
      [3, 2],
      [1.5, 2],
    ] as const)
      expect(() => planConsistency(from, to)).toThrow(RangeError)
  })
})

test('a proof asks for few nodes, even in a ledger of billions', () => {
  const size = 2 ** 40 + 12_345
  const asked = [...planInclusion(2 ** 33 + 7, size), ...planConsistency(2 ** 35 + 3, size)].flat()
  expect(asked.length).toBeLessThan(200)
  for (const { level, index } of asked) expect((index + 1) * 2 ** level).toBeLessThanOrEqual(size)
})
