import {
  CHECKPOINT_EVERY,
  entryHash,
  MerkleProof,
  NO_PREVIOUS_HASH,
  parsePublicKey,
  type SignedCheckpoint,
  verifyCheckpoint,
  verifyInclusion,
} from '@guildhall/protocol'
import type { Answer, Guildhall } from '@guildhall/sdk'
import { checkAnswer } from '../check-answer.ts'
import { areCheckpoints } from './are-checkpoints.ts'
import { ifThere } from './if-there.ts'
import { count } from './progress-bar.ts'

type Entry = Answer<'getEntry'>
type Client = Pick<Guildhall, 'call' | 'chain'>
type Holds = (held: boolean, sentence: string) => void

/** Follows an entry to a root that the registry has signed or, if the entry is too new for that, to the last signed entry. */
export async function checkEntryIsUnderCheckpoint(
  client: Client,
  entry: Entry,
  holds: Holds,
  registryKey?: string,
): Promise<void> {
  const [genesis, { checkpoints }] = await Promise.all([ifThere(client.chain.entry(1)), client.chain.latest()])
  checkAnswer(areCheckpoints(checkpoints))
  const key = genesis && registryKeyOf(genesis)
  if (key === null) return holds(false, 'entry 1 is the genesis entry and names the registry’s key')
  if (registryKey !== undefined)
    holds(genesis?.public_key === registryKey, 'entry 1 names the registry’s key that is known from elsewhere')
  const covering = checkpoints.find(({ tree_size }) => tree_size >= entry.sequence)
  const checkpoint = covering ?? checkpoints.at(-1)
  if (checkpoint === undefined) return holds(false, 'the registry has signed a checkpoint')
  holds(
    verifyCheckpoint(key, checkpoint),
    `the registry of entry 1 signed the checkpoint at entry ${checkpoint.sequence}`,
  )
  if (covering)
    return holds(await isIncluded(client, entry, covering), `its Merkle root covers entry ${entry.sequence}`)
  // Links alone prove nothing: whoever holds back the checkpoints could have written them.
  if (entry.sequence - checkpoint.sequence >= CHECKPOINT_EVERY)
    return holds(false, `the registry has signed a checkpoint within the last ${count(CHECKPOINT_EVERY)} entries`)
  holds(
    await isLinkedTo(client, entry, checkpoint),
    `entry ${entry.sequence} follows from that checkpoint link by link (the next checkpoint will cover it)`,
  )
}

const registryKeyOf = (genesis: Entry): Uint8Array | null =>
  genesis.entry_type === 'genesis' &&
  genesis.previous_hash === NO_PREVIOUS_HASH &&
  genesis.entry_hash === entryHash(genesis)
    ? parsePublicKey(genesis.public_key ?? '')
    : null

/** Against the signed root, not the one that comes with the proof. */
async function isIncluded({ call }: Client, entry: Entry, checkpoint: SignedCheckpoint): Promise<boolean> {
  const { tree_size: treeSize, root_hash } = checkpoint
  const query = { sequence: entry.sequence, tree_size: treeSize }
  const { proof } = (await ifThere(call('inclusionProof', { query }))) ?? {}
  const claim = { entryHash: entry.entry_hash, leafIndex: entry.sequence - 1, treeSize, root: bytes(root_hash) }
  const hashes = MerkleProof.shape.proof.safeParse(proof)
  return hashes.success && verifyInclusion(claim, hashes.data.map(bytes))
}

async function isLinkedTo({ chain }: Client, entry: Entry, checkpoint: SignedCheckpoint): Promise<boolean> {
  let previous: Entry | null = null
  for await (const next of chain.range(checkpoint.sequence, entry.sequence)) {
    const follows = previous === null ? next.entry_hash === checkpoint.entry_hash : isNext(previous, next)
    if (!follows || next.entry_hash !== entryHash(next)) return false
    previous = next
  }
  return previous?.entry_hash === entry.entry_hash
}

const isNext = (before: Entry, entry: Entry): boolean =>
  entry.previous_hash === before.entry_hash && entry.sequence === before.sequence + 1

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
