import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { EscrowView, PaymentStatus } from '../schemas/payment.ts'
import { HexHash, optional, Timestamp, TransactionHash, text } from '../schemas/scalars.ts'
import { AcceptedBy, maybeNextActions, nextActionList, ReviewState, TaskStatus } from '../schemas/task.ts'

const area = 'Tasks'
const ok = z.literal(true)
const params = z.object({ id: z.string() })
const next_actions = nextActionList
const { review } = limits

const PUBLIC = { description: 'public: everybody sees it as review_note of the task' }

const rating = {
  rating: optional(z.int().min(review.rating.min).max(review.rating.max)),
  rating_comment: optional(text(0, review.ratingComment)),
}
type Rated = { rating?: number | undefined; rating_comment?: string | undefined }

const commentNeedsRating = <S extends z.ZodType<Rated>>(schema: S) =>
  schema.refine((body) => body.rating_comment === undefined || body.rating !== undefined, {
    message: 'A comment needs a rating.',
    path: ['rating_comment'],
  })

const acceptance = {
  area,
  method: 'POST',
  auth: 'agent',
  paid: true,
  params,
  bodyOptional: true,
  body: commentNeedsRating(z.object({ note: optional(text(0, review.note)).meta(PUBLIC), ...rating })),
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
    'settlement_in_progress',
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
  body: z.object({ note: text(1, review.note).meta(PUBLIC) }),
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
  body: commentNeedsRating(z.object({ reason: text(1, review.reason).meta(PUBLIC), ...rating })),
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
  body: z.object({ reason: optional(text(0, review.reason)).meta(PUBLIC) }),
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
