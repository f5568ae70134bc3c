import { bytesToHex } from '@noble/hashes/utils.js'
import { consistencyProof, inclusionProof, type NodeSource } from '../../src/ledger/merkle-proof.ts'
import { smallLedger } from './small-ledger.ts'

const { entries, nodes, roots } = smallLedger()
const zeros = '0'.repeat(64)

const hashAt: NodeSource = (level, index) => {
  const node = nodes.find((known) => known.level === level && known.index === index)
  if (node === undefined) throw new RangeError(`node ${level}/${index} is not full`)
  return node.hash
}
const rootHash = (size: number): string => bytesToHex(roots[size] ?? new Uint8Array())

export function merkleVectors() {
  const pairs = [
    [1, 1],
    [1, 2],
    [2, 2],
    [3, 3],
    [1, 7],
    [4, 7],
    [7, 7],
    [8, 8],
    [9, 11],
    [11, 11],
    [6, 11],
  ] as const
  const growths = [
    [1, 1],
    [1, 2],
    [2, 3],
    [3, 7],
    [4, 8],
    [6, 8],
    [7, 11],
    [8, 11],
    [11, 11],
  ] as const
  return {
    about:
      'The RFC 6962 tree over entry hashes: a leaf is sha256(00 || the 32 bytes), a node sha256(01 || left || right); sequence counts from 1.',
    entry_hashes: entries.map((entry) => entry.entry_hash),
    root_hashes: roots.map((_, tree_size) => ({ tree_size, root_hash: rootHash(tree_size) })),
    inclusion: [...pairs.map(([sequence, size]) => inclusion(sequence, size)), ...bentInclusions()],
    consistency: [...growths.map(([from, to]) => consistency(from, to)), ...bentConsistencies()],
  }
}

function inclusion(sequence: number, treeSize: number) {
  const proof = inclusionProof(sequence - 1, treeSize, hashAt).map((hash) => bytesToHex(hash))
  const entry_hash = entries[sequence - 1]?.entry_hash ?? ''
  return { entry_hash, sequence, tree_size: treeSize, root_hash: rootHash(treeSize), proof, valid: true }
}

function bentInclusions() {
  const good = inclusion(6, 11)
  return [
    { ...good, sequence: 5 },
    { ...good, sequence: 0 },
    { ...good, sequence: 12 },
    { ...good, entry_hash: entries[4]?.entry_hash ?? '' },
    { ...good, tree_size: 4 },
    { ...good, root_hash: rootHash(10) },
    { ...good, proof: good.proof.slice(1) },
    { ...good, proof: [...good.proof, zeros] },
    { ...good, proof: good.proof.toReversed() },
    { ...good, proof: good.proof.with(0, zeros) },
  ].map((bent) => ({ ...bent, valid: false }))
}

function consistency(from: number, to: number) {
  const proof = consistencyProof(from, to, hashAt).map((hash) => bytesToHex(hash))
  return { from, to, from_root_hash: rootHash(from), to_root_hash: rootHash(to), proof, valid: true }
}

function bentConsistencies() {
  const good = consistency(7, 11)
  return [
    { ...good, from: 6 },
    { ...good, from: 0 },
    { ...good, from: 11, to: 7 },
    { ...good, from_root_hash: rootHash(6) },
    { ...good, to_root_hash: rootHash(10) },
    { ...good, proof: [] },
    { ...good, proof: good.proof.slice(1) },
    { ...good, proof: [...good.proof, zeros] },
    { ...good, proof: good.proof.with(-1, zeros) },
    { ...consistency(11, 11), proof: [zeros] },
  ].map((bent) => ({ ...bent, valid: false }))
}
