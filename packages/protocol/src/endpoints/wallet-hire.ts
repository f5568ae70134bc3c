import { z } from 'zod'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { DeliveryReceipt, Submission } from '../schemas/delivery.ts'
import { BountyView, EscrowView, PaymentStatus, TaskPayment } from '../schemas/payment.ts'
import { Address, AnyNetwork, optional, Timestamp, TransactionHash } from '../schemas/scalars.ts'
import { nextActionList, PostedCategory, Task, TaskStatus, taskText } from '../schemas/task.ts'
import { acceptTask, cancelTask, disputeTask, requestRevision } from './task-review.ts'

const area = 'Wallet-only hiring'
const ok = z.literal(true)
const params = z.object({ id: z.string() })
const HIRE_REFUSALS = [
  'expiry_window_not_allowed',
  'bounty_below_minimum',
  'bounty_network_not_allowed',
  'escrow_unavailable',
] as const satisfies Endpoint['refuses']

/** Without the category `testing`: those tasks belong to the house, which does not hire by wallet. */
const hireText = {
  ...taskText,
  category: optional(PostedCategory),
  network: optional(AnyNetwork),
}

/** Unknown fields are refused here: a typo would cost money. */
const fixedHire = z.strictObject(hireText)
const openHire = z.strictObject({
  ...hireText,
  bounty_usdc: optional(z.union([z.number(), z.string()], 'An amount of USDC is needed, such as 2.5.')).meta({
    description: 'USDC as a number or decimal string with at most 6 decimals; the minimum when left out',
  }),
})

const hired = z.object({
  ok,
  task_id: z.string(),
  status: TaskStatus,
  payment_status: PaymentStatus,
  bounty: BountyView.nullable(),
  escrow: EscrowView.nullable(),
  claimable: z.boolean(),
  deposit_tx_hash: TransactionHash.nullable(),
  expires_at: Timestamp.nullable(),
  poster: z.object({ kind: z.literal('wallet'), wallet: Address }),
  manage: z.object({
    token: z.string(),
    note: z.string(),
    task_url: z.string(),
    submission_url: z.string(),
    actions: z.record(z.string(), z.string()),
  }),
  public_url: z.string(),
  next_actions: nextActionList,
})

export const hireInfo = endpoint({
  area,
  method: 'GET',
  path: '/v1/x402/tasks',
  summary: 'How to hire with nothing but a wallet.',
  auth: 'none',
  caching: 'public',
  returns: z.object({
    escrow_wallet: Address.nullable(),
    escrow_available: z.boolean(),
    endpoints: z.array(z.object({ method: z.string(), path: z.string(), price_usdc: z.string(), summary: z.string() })),
    manage: z.record(z.string(), z.string()),
    networks: z.array(z.string()),
  }),
  refuses: [],
})

export const hire = endpoint({
  area,
  method: 'POST',
  path: '/v1/x402/tasks',
  summary:
    'Hire: the 402 names the price on every network, the same call with PAYMENT-SIGNATURE posts the task. No body: a price check.',
  auth: 'none',
  paid: true,
  bodyMayBeMissing: true,
  body: openHire,
  returns: hired,
  refuses: HIRE_REFUSALS,
})

const fixed = <const P extends number>(usdc: P) =>
  endpoint({
    area,
    method: 'POST',
    path: `/v1/x402/tasks/usd-${usdc}`,
    summary: `Hire for ${usdc} USDC.`,
    auth: 'none',
    paid: true,
    body: fixedHire,
    returns: hired,
    refuses: HIRE_REFUSALS,
  })

const [one, five, twenty] = limits.hire.fixedUsdc
export const hireUsd1 = fixed(one)
export const hireUsd5 = fixed(five)
export const hireUsd20 = fixed(twenty)

export const getHire = endpoint({
  area,
  method: 'GET',
  path: '/v1/x402/tasks/{id}',
  summary: 'The hired task with its delivery.',
  auth: 'manage',
  manages: 'read',
  caching: 'private',
  params,
  returns: z.object({
    ok,
    task: Task,
    submission: Submission.nullable(),
    delivery_receipt: DeliveryReceipt.nullable(),
    receipts_count: z.int(),
    payment: TaskPayment,
    next_actions: nextActionList,
  }),
  refuses: [],
})

export const getHireSubmission = endpoint({
  area,
  method: 'GET',
  path: '/v1/x402/tasks/{id}/submission',
  summary: 'The delivery.',
  auth: 'manage',
  manages: 'read',
  caching: 'private',
  params,
  returns: z.object({
    ok,
    submission: Submission,
    receipts: z.array(DeliveryReceipt),
    next_actions: nextActionList,
  }),
  refuses: [],
})

const manage = { area, method: 'POST', auth: 'manage', params } as const

export const acceptHire = endpoint({
  ...manage,
  path: '/v1/x402/tasks/{id}/accept',
  manages: 'accept',
  summary: 'Accept the delivery: the escrow is released.',
  bodyOptional: true,
  body: acceptTask.body,
  returns: acceptTask.returns,
  refuses: ['invalid_state', 'conflict', 'payment_not_expected', 'payee_wallet_missing', 'wallet_network_mismatch'],
})

export const reviseHire = endpoint({
  ...manage,
  path: '/v1/x402/tasks/{id}/revision',
  manages: 'revision',
  summary: 'Ask the deliverer for changes.',
  body: requestRevision.body,
  returns: requestRevision.returns,
  refuses: ['invalid_state', 'max_revisions', 'conflict'],
})

export const disputeHire = endpoint({
  ...manage,
  path: '/v1/x402/tasks/{id}/dispute',
  manages: 'dispute',
  summary: 'Dispute the delivery.',
  body: disputeTask.body,
  returns: disputeTask.returns,
  refuses: ['invalid_state', 'already_disputed'],
})

export const cancelHire = endpoint({
  ...manage,
  path: '/v1/x402/tasks/{id}/cancel',
  manages: 'cancel',
  summary: 'Cancel; the paying wallet is refunded.',
  bodyOptional: true,
  body: cancelTask.body,
  returns: cancelTask.returns,
  refuses: ['dispute_first', 'already_accepted', 'payment_in_flight', 'conflict'],
})
