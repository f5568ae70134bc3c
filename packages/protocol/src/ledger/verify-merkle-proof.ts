import { equalBytes } from '@noble/curves/utils.js'
import { leafHash, nodeHash } from './merkle.ts'

export type InclusionClaim = {
  readonly entryHash: string
  /** `sequence - 1`. */
  readonly leafIndex: number
  readonly treeSize: number
  readonly root: Uint8Array
}

/** RFC 9162 section 2.1.3.2: the entry is in the tree with this root, at this index. */
export function verifyInclusion(claim: InclusionClaim, proof: readonly Uint8Array[]): boolean {
  const { leafIndex, treeSize, root } = claim
  if (!isSize(treeSize) || !Number.isSafeInteger(leafIndex) || leafIndex < 0 || leafIndex >= treeSize) return false
  if (!/^[0-9a-f]{64}$/.test(claim.entryHash)) return false
  let place: Place = { node: leafIndex, last: treeSize - 1 }
  let hash = leafHash(claim.entryHash)
  for (const sibling of proof) {
    if (place.last === 0) return false
    hash = isRightOf(place) ? nodeHash(sibling, hash) : nodeHash(hash, sibling)
    place = parentOf(place)
  }
  return place.last === 0 && equalBytes(hash, root)
}

export type TreeHead = {
  readonly size: number
  readonly root: Uint8Array
}

/** RFC 9162 section 2.1.4.2: the second tree starts with all of the first. */
export function verifyConsistency(first: TreeHead, second: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (!isSize(first.size) || !isSize(second.size) || first.size > second.size) return false
  if (first.size === second.size) return proof.length === 0 && equalBytes(first.root, second.root)
  const [start, ...path] = isPowerOfTwo(first.size) ? [first.root, ...proof] : proof
  if (start === undefined) return false
  let place: Place = { node: first.size - 1, last: second.size - 1 }
  while (place.node % 2 === 1) place = { node: half(place.node), last: half(place.last) }
  let firstHash = start
  let secondHash = start
  for (const sibling of path) {
    if (place.last === 0) return false
    if (isRightOf(place)) {
      firstHash = nodeHash(sibling, firstHash)
      secondHash = nodeHash(sibling, secondHash)
    } else {
      secondHash = nodeHash(secondHash, sibling)
    }
    place = parentOf(place)
  }
  return place.last === 0 && equalBytes(firstHash, first.root) && equalBytes(secondHash, second.root)
}

/** A node's index on its level, and the index of the last node there. */
type Place = {
  readonly node: number
  readonly last: number
}

/** Its next sibling is to the left: it is a right child, or alone on the right edge. */
function isRightOf({ node, last }: Place): boolean {
  return node % 2 === 1 || node === last
}

function parentOf(place: Place): Place {
  let { node, last } = place
  // A node alone on the right edge rises without a sibling until it is a right child.
  while (node === last && node % 2 === 0 && node !== 0) {
    node = half(node)
    last = half(last)
  }
  return { node: half(node), last: half(last) }
}

function isPowerOfTwo(n: number): boolean {
  return Number.isInteger(Math.log2(n))
}

function isSize(n: number): boolean {
  return Number.isSafeInteger(n) && n >= 1
}

function half(n: number): number {
  return Math.floor(n / 2)
}
