import { fullSubtrees, joinRightToLeft, type TreeNode } from './merkle.ts'

/**
 * The plan of a proof: each of its hashes joins one or more full subtrees. A server reads all nodes of a plan at once (their
 * number grows with the logarithm of the tree) and then calls `fulfil`.
 */
export type ProofPlan = readonly (readonly TreeNode[])[]

export type NodeSource = (level: number, index: number) => Uint8Array

export function fulfil(plan: ProofPlan, hashAt: NodeSource): readonly Uint8Array[] {
  return plan.map((nodes) => joinRightToLeft(nodes.map(({ level, index }) => hashAt(level, index))))
}

/** The audit path of RFC 6962 section 2.1.1, from the leaf upwards. */
export function planInclusion(leafIndex: number, treeSize: number): ProofPlan {
  if (!isCount(leafIndex) || !isCount(treeSize) || leafIndex >= treeSize) throw new RangeError('no such leaf')
  const { siblings } = descend(treeSize, leafIndex, (range) => range.end - range.start === 1)
  return siblings.map(subtreesOf)
}

/** The consistency proof of RFC 6962 section 2.1.2: the second tree extends the first. */
export function planConsistency(firstSize: number, secondSize: number): ProofPlan {
  if (!isCount(firstSize) || !isCount(secondSize) || firstSize < 1 || firstSize > secondSize) {
    throw new RangeError('no such trees')
  }
  if (firstSize === secondSize) return []
  const { reached, siblings } = descend(secondSize, firstSize - 1, (range) => range.end === firstSize)
  const path = siblings.map(subtreesOf)
  // The verifier knows the first root: when the subtree reached is the whole first tree, its hash is left out.
  return reached.start === 0 ? path : [subtreesOf(reached), ...path]
}

export function rootFrom(treeSize: number, hashAt: NodeSource): Uint8Array {
  return joinRightToLeft(fullSubtrees(0, treeSize).map(({ level, index }) => hashAt(level, index)))
}

export function inclusionProof(leafIndex: number, treeSize: number, hashAt: NodeSource): readonly Uint8Array[] {
  return fulfil(planInclusion(leafIndex, treeSize), hashAt)
}

export function consistencyProof(firstSize: number, secondSize: number, hashAt: NodeSource): readonly Uint8Array[] {
  return fulfil(planConsistency(firstSize, secondSize), hashAt)
}

type LeafRange = {
  readonly start: number
  readonly end: number
}

type Descent = {
  readonly reached: LeafRange
  /** The siblings passed on the way, lowest first. */
  readonly siblings: readonly LeafRange[]
}

function descend(treeSize: number, leaf: number, arrived: (range: LeafRange) => boolean): Descent {
  const siblings: LeafRange[] = []
  let range: LeafRange = { start: 0, end: treeSize }
  while (!arrived(range)) {
    const middle = range.start + largestPowerOfTwoBelow(range.end - range.start)
    const left = { start: range.start, end: middle }
    const right = { start: middle, end: range.end }
    siblings.unshift(leaf < middle ? right : left)
    range = leaf < middle ? left : right
  }
  return { reached: range, siblings }
}

function subtreesOf({ start, end }: LeafRange): readonly TreeNode[] {
  return fullSubtrees(start, end)
}

function largestPowerOfTwoBelow(n: number): number {
  let power = 1
  while (power * 2 < n) power *= 2
  return power
}

function isCount(n: number): boolean {
  return Number.isSafeInteger(n) && n >= 0
}
