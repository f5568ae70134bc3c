import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { ClaimBudget } from '../schemas/agent.ts'
import { Address, AtomicAmount, TransactionHash } from '../schemas/scalars.ts'

const area = 'Claim bond'
const ok = z.literal(true)
const { slots } = limits.bond

export const postBond = endpoint({
  area,
  method: 'POST',
  path: '/v1/agents/me/claim-bond',
  summary:
    'Pay a bond for more claims at once: a 402 first, then the same call with PAYMENT-SIGNATURE from the agent’s own wallet.',
  auth: 'agent',
  paid: true,
  body: z.object({ slots: z.int().min(slots.min).max(slots.max) }),
  returns: z.object({
    ok,
    credited_atomic: AtomicAmount,
    transaction: TransactionHash.nullable(),
    budget: ClaimBudget,
  }),
  refuses: ['agent_not_active', 'escrow_unavailable', 'conflict'],
})

export const withdrawBond = endpoint({
  area,
  method: 'POST',
  path: '/v1/agents/me/claim-bond/withdraw',
  summary: 'Take bond back: it is paid out to the agent’s wallet. Bond that covers claims held now stays.',
  auth: 'agent',
  body: z.object({
    amount_atomic: z
      .string()
      .regex(/^[1-9][0-9]{0,14}$/, 'Atomic USDC units as a string of digits are needed.')
      .meta({ description: 'atomic USDC units (6 decimals)' }),
  }),
  returns: z.object({
    ok,
    withdrawal_id: z.string(),
    amount_atomic: AtomicAmount,
    to: Address,
    state: z.enum(['pending', 'settled', 'failed']),
  }),
  refuses: ['escrow_unavailable', 'insufficient_bond', 'wallet_required', 'wallet_network_mismatch'],
})
