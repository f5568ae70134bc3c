import { z } from 'zod'
import { Address, AtomicAmount, Timestamp, TransactionHash } from './scalars.ts'

export const PaymentStatus = z.enum([
  'none',
  'pending',
  'authorized',
  'settling',
  'settled',
  'failed',
  'expired',
  'refunded',
])
export type PaymentStatus = z.infer<typeof PaymentStatus>

export const EscrowStatus = z.enum(['unfunded', 'funding', 'funded', 'releasing', 'released', 'refunding', 'refunded'])
export type EscrowStatus = z.infer<typeof EscrowStatus>

export const EscrowLeg = z.enum(['deposit', 'release', 'refund'])
export type EscrowLeg = z.infer<typeof EscrowLeg>

export const BountyView = z.object({
  amount_atomic: AtomicAmount,
  amount_display: z.string(),
  token: z.literal('USDC'),
  network: z.string(),
})

export const EscrowView = z.object({
  status: EscrowStatus,
  leg: EscrowLeg.nullable(),
  wallet: Address.nullable(),
  payer: Address.nullable(),
  deposit_tx_hash: TransactionHash.nullable(),
  funded_at: Timestamp.nullable(),
  release_tx_hash: TransactionHash.nullable(),
  released_at: Timestamp.nullable(),
  refund_tx_hash: TransactionHash.nullable(),
  refunded_at: Timestamp.nullable(),
  settle_error: z.string().nullable(),
})

export const TaskPayment = z.object({
  task_id: z.string(),
  bounty: BountyView.nullable(),
  status: PaymentStatus,
  verified: z.boolean(),
  settled: z.boolean(),
  tx_hash: TransactionHash.nullable(),
  settled_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
  auto_release_at: Timestamp.nullable(),
  accepted_by: z.enum(['creator', 'auto']).nullable(),
  payer: Address.nullable(),
  last_error: z.string().nullable(),
  settle_attempts: z.int(),
  next_settle_at: Timestamp.nullable(),
  payment_due: z.boolean(),
  escrow: EscrowView.nullable(),
  pay_to: Address.nullable(),
})

export const PaymentRequirements = z.object({
  scheme: z.literal('exact'),
  network: z.string(),
  amount: AtomicAmount,
  asset: Address,
  payTo: Address,
  maxTimeoutSeconds: z.int(),
  extra: z.object({ name: z.string(), version: z.string() }),
})
export type PaymentRequirements = z.infer<typeof PaymentRequirements>

export const PaymentRequired = z.object({
  x402Version: z.literal(2),
  error: z.string().optional(),
  resource: z.object({ url: z.string(), description: z.string(), mimeType: z.string() }),
  accepts: z.array(PaymentRequirements).min(1),
  extensions: z.record(z.string(), z.unknown()).optional(),
})
export type PaymentRequired = z.infer<typeof PaymentRequired>

export const PaymentEvent = z.object({
  id: z.string(),
  event_type: z.string(),
  details: z.record(z.string(), z.unknown()),
  created_at: Timestamp,
})

export const RequirementsUnavailableReason = z.enum([
  'no_bounty',
  'unsupported_network',
  'not_claimed',
  'payee_wallet_missing',
  'payee_wallet_wrong_network',
  'escrow_held',
  'escrow_funding',
  'escrow_unavailable',
])
export type RequirementsUnavailableReason = z.infer<typeof RequirementsUnavailableReason>
