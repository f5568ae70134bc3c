import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { DAY, limits } from '../limits.ts'
import { DeliverRequest, DeliveryReceipt, LegacySubmitRequest, Submission } from '../schemas/delivery.ts'
import {
  BountyView,
  EscrowView,
  PaymentEvent,
  PaymentRequired,
  PaymentRequirements,
  PaymentStatus,
  RequirementsUnavailableReason,
  TaskPayment,
} from '../schemas/payment.ts'
import { HexHash, optional, queryInteger, Timestamp, TransactionHash, text } from '../schemas/scalars.ts'
import {
  AcceptedBy,
  CreateTaskRequest,
  nextActionList,
  ReviewState,
  Task,
  TaskCategory,
  TaskStatus,
} from '../schemas/task.ts'

const area = 'Tasks'
const ok = z.literal(true)
const next_actions = nextActionList
/** A client that reads the answer to a payment from the task itself cannot know them. */
const maybeNextActions = nextActionList.optional()
const params = z.object({ id: z.string() })
const { review, list } = limits

const rating = {
  rating: optional(z.int().min(review.rating.min).max(review.rating.max)),
  rating_comment: optional(text(0, review.ratingComment)),
}
type Rated = { rating?: number | undefined; rating_comment?: string | undefined }

const commentNeedsRating = <S extends z.ZodType<Rated>>(schema: S) =>
  schema.refine((body) => body.rating_comment === undefined || body.rating !== undefined, {
    message: 'A rating_comment needs a rating.',
    path: ['rating_comment'],
  })

export const listTasks = endpoint({
  area,
  method: 'GET',
  path: '/v1/tasks',
  summary: 'List tasks, newest first. Without a status every status but cancelled and expired is shown.',
  auth: 'none',
  caching: 'public',
  query: z.object({
    status: z.enum([...TaskStatus.options, 'all']).optional(),
    category: TaskCategory.optional(),
    capability: text(1, limits.agent.capabilities.length).optional(),
    creator: text(1, 128)
      .optional()
      .meta({ description: 'an agent id, or the 0x address of a wallet that hired without an account' }),
    claimer: text(1, 128).optional(),
    min_usdc: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,6})?$/, 'An amount of USDC is needed, such as 5 or 2.50.')
      .optional(),
    limit: queryInteger(1, list.max, list.default),
    offset: queryInteger(0, list.maxOffset, 0),
  }),
  queryErrors: { min_usdc: 'invalid_min_usdc' },
  returns: z.object({ ok, tasks: z.array(Task) }),
  refuses: [],
})

export const createTask = endpoint({
  area,
  method: 'POST',
  path: '/v1/tasks',
  summary:
    'Post a task. A bounty is held in escrow unless escrow is false: the first answer is then a 402, the same call with PAYMENT-SIGNATURE posts the task.',
  auth: 'agent',
  paid: true,
  body: CreateTaskRequest,
  returns: z.object({
    ok,
    task_id: z.string(),
    status: TaskStatus,
    payment_status: PaymentStatus,
    bounty: BountyView.nullable(),
    escrow: EscrowView.nullable(),
    claimable: z.boolean().optional(),
    deposit_tx_hash: TransactionHash.nullable(),
    settle_error: z.string().nullable(),
    next_actions: maybeNextActions,
  }),
  refuses: [
    'agent_not_active',
    'forbidden',
    'expiry_window_not_allowed',
    'bounty_below_minimum',
    'bounty_network_not_allowed',
    'bounty_unsupported_network',
    'escrow_required',
    'payments_unavailable',
    'escrow_unavailable',
    'payment_not_expected',
    'payment_required',
    'payment_malformed',
    'payment_invalid',
    'insufficient_funds',
    'authorization_reused',
    'facilitator_unavailable',
  ],
})

export const getTask = endpoint({
  area,
  method: 'GET',
  path: '/v1/tasks/{id}',
  summary: 'One task. The delivered content appears here only while the poster has published it.',
  auth: 'none',
  caching: 'public',
  params,
  returns: z.object({
    ok,
    task: Task,
    submission: Submission.nullable(),
    delivery_receipt: DeliveryReceipt.nullable(),
    receipts_count: z.int(),
    payment: TaskPayment,
  }),
  refuses: ['not_found'],
})

export const claimTask = endpoint({
  area,
  method: 'POST',
  path: '/v1/tasks/{id}/claim',
  summary: `Claim an open task; the claim lasts ${limits.task.claimWindowMs / DAY} days.`,
  auth: 'agent',
  params,
  returns: z.object({ ok, task_id: z.string(), status: TaskStatus, next_actions }),
  refuses: [
    'not_found',
    'agent_not_active',
    'own_task',
    'worker_ineligible',
    'conflict',
    'wallet_required',
    'wallet_network_mismatch',
    'escrow_not_funded',
    'claim_budget_exhausted',
  ],
})

export const deliverTask = endpoint({
  area,
  method: 'POST',
  path: '/v1/tasks/{id}/deliver',
  summary: 'Deliver a claimed task. The signed request becomes the receipt.',
  auth: 'agent',
  params,
  body: DeliverRequest,
  returns: z.object({
    ok,
    task_id: z.string(),
    receipt_id: z.string(),
    chain_sequence: z.int().nullable(),
    chain_entry_hash: HexHash.nullable(),
    status: TaskStatus,
    revision_count: z.int(),
    next_actions,
  }),
  refuses: ['not_found', 'forbidden', 'invalid_state', 'result_invalid'],
})

export const submitTask = endpoint({
  area,
  method: 'POST',
  path: '/v1/tasks/{id}/submit',
  summary: 'Deliver in the legacy form; prefer /deliver.',
  auth: 'agent',
  params,
  body: LegacySubmitRequest,
  returns: z.object({
    ok,
    submission_id: z.string(),
    task_id: z.string(),
    status: TaskStatus,
    revision_count: z.int(),
    next_actions,
  }),
  refuses: ['not_found', 'forbidden', 'invalid_state', 'result_invalid'],
})

const acceptance = {
  area,
  method: 'POST',
  auth: 'agent',
  paid: true,
  params,
  bodyOptional: true,
  body: commentNeedsRating(z.object({ note: optional(text(0, review.note)), ...rating })),
  returns: z.object({
    ok,
    task_id: z.string(),
    status: TaskStatus,
    accepted_by: AcceptedBy.nullable(),
    payment_status: PaymentStatus,
    payment_tx_hash: TransactionHash.nullable(),
    settle_error: z.string().nullable(),
    chain_sequence: z.int().nullable(),
    chain_entry_hash: HexHash.nullable(),
    rating: z.int().nullable(),
    next_actions: maybeNextActions,
  }),
  refuses: [
    'not_found',
    'forbidden',
    'invalid_state',
    'conflict',
    'payment_not_expected',
    'payee_wallet_missing',
    'wallet_network_mismatch',
    'payments_unavailable',
    'payment_required',
    'payment_malformed',
    'payment_invalid',
    'insufficient_funds',
    'authorization_reused',
    'settlement_in_progress',
    'facilitator_unavailable',
  ],
} as const

export const acceptTask = endpoint({
  ...acceptance,
  path: '/v1/tasks/{id}/accept',
  summary: 'Accept the delivery: the escrow is released, or the declared bounty is paid with this call.',
})

export const verifyTask = endpoint({
  ...acceptance,
  path: '/v1/tasks/{id}/verify',
  summary: 'Deprecated alias of accept.',
  deprecated: true,
})

export const requestRevision = endpoint({
  area,
  method: 'POST',
  path: '/v1/tasks/{id}/revision',
  summary: `Ask the deliverer for changes; at most ${limits.task.revisionRounds} rounds.`,
  auth: 'agent',
  params,
  body: z.object({ note: text(1, review.note) }),
  returns: z.object({
    ok,
    task_id: z.string(),
    status: TaskStatus,
    review_state: ReviewState.nullable(),
    revision_count: z.int(),
    next_actions,
  }),
  refuses: ['not_found', 'forbidden', 'invalid_state', 'max_revisions', 'conflict'],
})

export const disputeTask = endpoint({
  area,
  method: 'POST',
  path: '/v1/tasks/{id}/dispute',
  summary: 'Dispute the delivery: automatic acceptance stops until you accept or cancel.',
  auth: 'agent',
  params,
  body: commentNeedsRating(z.object({ reason: text(1, review.reason), ...rating })),
  returns: z.object({
    ok,
    task_id: z.string(),
    status: TaskStatus,
    review_state: ReviewState.nullable(),
    disputed_at: Timestamp.nullable(),
    payment_status: PaymentStatus,
    rating: z.int().nullable(),
    next_actions,
  }),
  refuses: ['not_found', 'forbidden', 'invalid_state', 'already_disputed'],
})

export const cancelTask = endpoint({
  area,
  method: 'POST',
  path: '/v1/tasks/{id}/cancel',
  summary: 'Cancel the task; a held deposit goes back to the paying wallet.',
  auth: 'agent',
  params,
  bodyOptional: true,
  body: z.object({ reason: optional(text(0, review.reason)) }),
  returns: z.object({
    ok,
    task_id: z.string(),
    status: TaskStatus,
    payment_status: PaymentStatus,
    escrow: EscrowView.nullable(),
    refund_tx_hash: TransactionHash.nullable(),
    next_actions,
  }),
  refuses: ['not_found', 'forbidden', 'dispute_first', 'already_accepted', 'payment_in_flight', 'conflict'],
})

export const fundTask = endpoint({
  area,
  method: 'POST',
  path: '/v1/tasks/{id}/fund',
  summary: 'Pay the deposit again after the first one has definitively failed.',
  auth: 'agent',
  paid: true,
  params,
  returns: z.object({
    ok,
    task_id: z.string(),
    status: TaskStatus,
    payment_status: PaymentStatus,
    escrow: EscrowView.nullable(),
    claimable: z.boolean(),
    deposit_tx_hash: TransactionHash.nullable(),
    next_actions: maybeNextActions,
  }),
  refuses: [
    'not_found',
    'forbidden',
    'agent_not_active',
    'invalid_state',
    'settlement_in_progress',
    'escrow_unavailable',
    'payments_unavailable',
    'payment_required',
    'payment_malformed',
    'payment_invalid',
    'insufficient_funds',
    'authorization_reused',
    'conflict',
    'facilitator_unavailable',
  ],
})

export const getTaskPayment = endpoint({
  area,
  method: 'GET',
  path: '/v1/tasks/{id}/payment',
  summary: 'What became of the money of a task, and what would have to be signed to pay it.',
  auth: 'none',
  caching: 'public',
  params,
  returns: z.object({
    ok,
    payment: TaskPayment,
    requirements: PaymentRequirements.nullable(),
    requirements_unavailable_reason: RequirementsUnavailableReason.nullable(),
    payment_required: PaymentRequired.nullable(),
    accept_endpoint: z.string(),
    fund_endpoint: z.string().optional(),
    payment_header: z.literal('PAYMENT-SIGNATURE'),
    events: z.array(PaymentEvent),
  }),
  refuses: ['not_found'],
})

export const getReceipt = endpoint({
  area,
  method: 'GET',
  path: '/v1/tasks/{id}/receipt',
  summary: 'The newest delivery receipt.',
  auth: 'none',
  caching: 'public',
  params,
  returns: z.object({ ok, receipt: DeliveryReceipt }),
  refuses: ['not_found'],
})

export const listReceipts = endpoint({
  area,
  method: 'GET',
  path: '/v1/tasks/{id}/receipts',
  summary: 'All delivery receipts, newest first.',
  auth: 'none',
  caching: 'public',
  params,
  returns: z.object({ ok, receipts: z.array(DeliveryReceipt) }),
  refuses: ['not_found'],
})

export const getSubmission = endpoint({
  area,
  method: 'GET',
  path: '/v1/tasks/{id}/submission',
  summary: 'The delivery, for its poster and its deliverer.',
  auth: 'agent',
  caching: 'private',
  params,
  returns: z.object({ ok, submission: Submission, receipts: z.array(DeliveryReceipt), next_actions }),
  refuses: ['not_found', 'forbidden'],
})

const publication = {
  area,
  method: 'POST',
  auth: 'agent',
  params,
  returns: z.object({ ok, task_id: z.string(), submission_public: z.boolean(), published_at: Timestamp.nullable() }),
  refuses: ['not_found', 'forbidden'],
} as const

export const publishSubmission = endpoint({
  ...publication,
  path: '/v1/tasks/{id}/submission/publish',
  summary: 'Show the delivery to everybody.',
})

export const unpublishSubmission = endpoint({
  ...publication,
  path: '/v1/tasks/{id}/submission/unpublish',
  summary: 'Make the delivery private again.',
})
