import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Address, AtomicAmount, Timestamp, TransactionHash } from '../schemas/scalars.ts'

const area = 'Payments'

const SignedAmount = z.string().regex(/^(0|-?[1-9]\d*)$/)

export const reserves = endpoint({
  area,
  method: 'GET',
  path: '/v1/escrow/reserves',
  summary: 'What the escrow wallet owes and what it holds, per network, read from the chain.',
  auth: 'none',
  caching: 'public',
  returns: z.object({
    networks: z.array(
      z.object({
        network: z.string(),
        liabilities_atomic: AtomicAmount.meta({ description: 'deposits, bonds, and what came unasked' }),
        house_atomic: SignedAmount.meta({
          description: 'what is the house’s: slashed bonds; negative: it owes for bonds that the chain took back',
        }),
        balance_atomic: AtomicAmount.nullable().meta({ description: 'null while the chain cannot be reached' }),
        block: z.int().nullable(),
        reconciled_block: z
          .int()
          .nullable()
          .meta({ description: 'up to this block every movement of the wallet has been weighed against the books' }),
        difference_atomic: SignedAmount.meta({
          description: 'what the wallet held there beyond what the books explain; negative: missing',
        }),
      }),
    ),
    payouts: z.enum(['running', 'paused']),
    pause_reason: z.string().nullable(),
    checked_at: Timestamp,
  }),
  refuses: ['escrow_unavailable'],
})

export const getAuthorization = endpoint({
  area,
  method: 'GET',
  path: '/v1/payments/{network}/{payer}/{nonce}',
  summary: 'What became of a payment authorization. While its state is unknown, sign no other in its place.',
  auth: 'none',
  caching: 'public',
  params: z.object({
    network: z.string().regex(/^eip155:[1-9]\d{0,9}$/, 'A CAIP-2 network id is needed, such as eip155:8453.'),
    payer: Address,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'A nonce has 0x and 64 hexadecimal digits.'),
  }),
  returns: z.object({
    network: z.string(),
    payer: Address,
    nonce: z.string(),
    state: z.enum(['unknown', 'intended', 'settled', 'dead']).meta({
      description:
        'intended: recorded, not sent; unknown: may have been sent, the chain has not shown the outcome; settled: proven on chain; dead: can never be settled',
    }),
    purpose: z.enum(['deposit', 'bounty', 'bond', 'release', 'refund', 'withdrawal', 'return']),
    task_id: z.string().nullable(),
    tx_hash: TransactionHash.nullable(),
    settled_at: Timestamp.nullable(),
    valid_before: Timestamp.nullable(),
    last_error: z.string().nullable(),
  }),
  refuses: ['not_found'],
})
