import {
  fulfil,
  fullSubtrees,
  type ProofPlan,
  planConsistency,
  planInclusion,
  rootFrom,
  type TreeNode,
} from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { ledgerSize, listedChain, proofOf } from '../documents/listed-chain.ts'
import type { Handlers } from '../handler.ts'
import { entryView } from '../views/chain-view.ts'

type ChainHandlers = Pick<Handlers, 'listChain' | 'latestEntry' | 'getEntry' | 'inclusionProof' | 'consistencyProof'>

export function chainHandlers(world: World): ChainHandlers {
  const { store } = world
  const entryAt = async (sequence: number) =>
    (await store.ledgerEntry(sequence)) ??
    refuse('not_found', { resource: 'entry' }, `The ledger has no entry ${sequence}.`)
  const total = () => ledgerSize(store)

  /** A proof and its root, from the stored nodes of full subtrees. */
  async function prove(plan: ProofPlan, treeSize: number) {
    if (treeSize > (await total()))
      refuse('not_found', { resource: 'entry' }, `The ledger has fewer than ${treeSize} entries.`)
    const wanted = [...plan.flat(), ...fullSubtrees(0, treeSize)]
    const hashes = await store.merkleNodes(wanted)
    const byNode = new Map(wanted.map((node, index) => [nameOf(node), Buffer.from(hashes[index] ?? '', 'hex')]))
    const hashAt = (level: number, index: number) => {
      const hash = byNode.get(nameOf({ level, index }))
      if (!hash) throw new Error(`the tree has no node ${level}/${index}`)
      return hash
    }
    return {
      tree_size: treeSize,
      root_hash: hex(rootFrom(treeSize, hashAt)),
      proof: fulfil(plan, hashAt).map(hex),
    }
  }

  return {
    listChain: async ({ query }) => ({ body: await listedChain(store, query) }),

    async latestEntry() {
      const newest = await total()
      const proof = await proofOf(store, { from: newest, to: newest, total: newest })
      return { body: { ...entryView(await entryAt(newest)), ...proof } }
    },

    getEntry: async ({ params }) => ({ body: entryView(await entryAt(params.sequence)) }),

    inclusionProof: async ({ query }) => ({
      body: await prove(planInclusion(query.sequence - 1, query.tree_size), query.tree_size),
    }),

    consistencyProof: async ({ query }) => ({ body: await prove(planConsistency(query.from, query.to), query.to) }),
  }
}

const nameOf = ({ level, index }: TreeNode): string => `${level}/${index}`

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
