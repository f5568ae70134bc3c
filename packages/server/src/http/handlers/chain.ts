import {
  fulfil,
  fullSubtrees,
  limits,
  type ProofPlan,
  planConsistency,
  planInclusion,
  rootFrom,
  type TreeNode,
} from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { checkpointView, entryView, VERIFICATION } from '../views/chain-view.ts'

type ChainHandlers = Pick<Handlers, 'listChain' | 'latestEntry' | 'getEntry' | 'inclusionProof' | 'consistencyProof'>

export function chainHandlers(world: World): ChainHandlers {
  const { store } = world
  const proof = async (from: number, to: number) => ({
    checkpoints: (await store.checkpoints(from, to, limits.chain.newestCheckpoints)).map(checkpointView),
    verification: VERIFICATION,
  })
  const entryAt = async (sequence: number) =>
    (await store.ledgerEntry(sequence)) ??
    refuse('not_found', { resource: 'entry' }, `The ledger has no entry ${sequence}.`)
  const total = async () => (await store.ledgerHead())?.sequence ?? 0

  /** A proof and the root that it leads to, from the stored nodes of full subtrees. */
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
    async listChain({ query }) {
      const count = await total()
      const { from, to } = rangeOf(query, count)
      const entries = (await store.ledgerRange(from, to)).map(entryView)
      const ordered = query.from === undefined && query.to === undefined ? entries.reverse() : entries
      return { body: { entries: ordered, total: count, ...(await proof(from, to)) } }
    },

    async latestEntry() {
      const newest = await total()
      return { body: { ...entryView(await entryAt(newest)), ...(await proof(newest, newest)) } }
    },

    getEntry: async ({ params }) => ({ body: entryView(await entryAt(params.sequence)) }),

    inclusionProof: async ({ query }) => ({
      body: await prove(planInclusion(query.sequence - 1, query.tree_size), query.tree_size),
    }),

    consistencyProof: async ({ query }) => ({ body: await prove(planConsistency(query.from, query.to), query.to) }),
  }
}

type Range = {
  readonly limit?: number | undefined
  readonly page: number
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Pages count from the newest entry. What is asked for by its ends is given whole, as far as one answer goes. */
function rangeOf({ limit: asked, page, from, to }: Range, total: number): { from: number; to: number } {
  if (from === undefined && to === undefined) {
    const limit = asked ?? limits.chain.default
    const newest = total - (page - 1) * limit
    return { from: Math.max(1, newest - limit + 1), to: newest }
  }
  const limit = asked ?? limits.chain.max
  const first = from ?? Math.max(1, (to ?? total) - limit + 1)
  return { from: first, to: Math.min(to ?? total, first + limit - 1) }
}

const nameOf = ({ level, index }: TreeNode): string => `${level}/${index}`

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
