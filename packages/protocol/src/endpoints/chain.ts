import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { ChainEntry, Checkpoint, MerkleProof } from '../schemas/chain.ts'
import { optionalQueryInteger } from '../schemas/scalars.ts'

const area = 'Ledger'
const MAX_SEQUENCE = Number.MAX_SAFE_INTEGER
const sequence = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'A sequence is a whole number from 1.')
  .transform(Number)
  .refine((value) => value <= MAX_SEQUENCE, 'A sequence is a whole number from 1.')
  .meta({ type: 'integer', minimum: 1 })
const BEYOND = { message: '`from` lies beyond `to`.', path: ['from'] }
const proof = {
  checkpoints: z.array(Checkpoint).meta({
    description: `in order: the first, those of the entries shown, and the newest ${limits.chain.newestCheckpoints}`,
  }),
  verification: z.string(),
}

export const listChain = endpoint({
  area,
  method: 'GET',
  path: '/v1/chain',
  summary: 'Ledger entries, newest first by page, or from one sequence to another in order.',
  auth: 'none',
  caching: 'public',
  query: z
    .object({
      limit: optionalQueryInteger(
        1,
        limits.chain.max,
        `${limits.chain.default} a page; ${limits.chain.max} where \`from\` or \`to\` is given`,
      ),
      page: optionalQueryInteger(1, MAX_SEQUENCE, '1 by default; not beside `from` or `to`'),
      from: sequence.optional(),
      to: sequence.optional(),
    })
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, BEYOND)
    .refine(({ page, from, to }) => page === undefined || (from ?? to) === undefined, {
      message: 'Send a page, or `from` and `to`.',
      path: ['page'],
    }),
  returns: z.object({ entries: z.array(ChainEntry), total: z.int(), ...proof }),
  refuses: [],
})

export const latestEntry = endpoint({
  area,
  method: 'GET',
  path: '/v1/chain/latest',
  summary: 'The newest ledger entry, with the signed checkpoints.',
  auth: 'none',
  caching: 'public',
  returns: ChainEntry.extend(proof),
  refuses: [],
})

export const getEntry = endpoint({
  area,
  method: 'GET',
  path: '/v1/chain/{sequence}',
  summary: 'One ledger entry.',
  auth: 'none',
  caching: 'public',
  params: z.object({ sequence }),
  returns: ChainEntry,
  refuses: ['not_found'],
})

export const inclusionProof = endpoint({
  area,
  method: 'GET',
  path: '/v1/chain/proof/inclusion',
  summary: 'The RFC 6962 proof that an entry is in the tree of the first tree_size entries.',
  auth: 'none',
  caching: 'public',
  query: z.object({ sequence, tree_size: sequence }).refine((query) => query.sequence <= query.tree_size, {
    message: 'The sequence lies beyond tree_size.',
    path: ['sequence'],
  }),
  returns: MerkleProof,
  refuses: ['not_found'],
})

export const consistencyProof = endpoint({
  area,
  method: 'GET',
  path: '/v1/chain/proof/consistency',
  summary: 'The RFC 6962 proof that the tree of the first `from` entries is a prefix of that of the first `to`.',
  auth: 'none',
  caching: 'public',
  query: z.object({ from: sequence, to: sequence }).refine((query) => query.from <= query.to, BEYOND),
  returns: MerkleProof,
  refuses: ['not_found'],
})
