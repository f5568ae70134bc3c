import { hexToBytes } from '@noble/hashes/utils.js'
import { sha256 } from '../sha256.ts'

/**
 * The hash tree of RFC 6962 over the entry hashes. Entry `sequence` is leaf `sequence - 1`. Node (level, index) covers the leaves
 * from index·2^level up to, not including, (index + 1)·2^level.
 */
export type TreeNode = {
  readonly level: number
  readonly index: number
}

export type HashedTreeNode = TreeNode & {
  readonly hash: Uint8Array
}

/** The leaf hash over the 32 raw bytes of an entry hash. */
export function leafHash(entryHashHex: string): Uint8Array {
  const data = new Uint8Array(33)
  data.set(hexToBytes(entryHashHex), 1)
  return sha256(data)
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const data = new Uint8Array(65)
  data[0] = 1
  data.set(left, 1)
  data.set(right, 33)
  return sha256(data)
}

/** The root of a tree without leaves. */
export function emptyRoot(): Uint8Array {
  return sha256(new Uint8Array())
}

export type GrowingTree = {
  size(): number
  /** Appends a leaf and returns the nodes that are now full, the leaf first: store them to answer any proof. */
  append(leaf: Uint8Array): readonly HashedTreeNode[]
  root(): Uint8Array
}

/**
 * A tree that keeps only the full subtrees on its right edge: at most one per level. To continue a tree of `size` leaves, pass
 * its edge: the nodes of `fullSubtrees(0, size)`.
 */
export function growingTree(from = 0, rightEdge: readonly HashedTreeNode[] = []): GrowingTree {
  const edge = [...rightEdge]
  let size = from
  return {
    size: () => size,
    append(leaf) {
      let node: HashedTreeNode = { level: 0, index: size, hash: leaf }
      const full = [node]
      while (edge.at(-1)?.level === node.level) {
        const left = edge.pop() as HashedTreeNode
        node = { level: left.level + 1, index: left.index / 2, hash: nodeHash(left.hash, node.hash) }
        full.push(node)
      }
      edge.push(node)
      size += 1
      return full
    },
    root: () => joinRightToLeft(edge.map((node) => node.hash)),
  }
}

/** The hash over adjacent full subtrees of decreasing size. */
export function joinRightToLeft(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return emptyRoot()
  return hashes.reduceRight((right, left) => nodeHash(left, right))
}

/** The full subtrees that make up the leaves from `start` up to `end`; `start` is a multiple of the largest of them. */
export function fullSubtrees(start: number, end: number): readonly TreeNode[] {
  const nodes: TreeNode[] = []
  for (let at = start; at < end; ) {
    let level = 0
    while (2 ** (level + 1) <= end - at) level += 1
    nodes.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return nodes
}
