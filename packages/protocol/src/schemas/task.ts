import { z } from 'zod'
import { limits } from '../limits.ts'
import { BountyView, EscrowView, PaymentStatus } from './payment.ts'
import {
  Address,
  AgentId,
  AnyNetwork,
  AtomicAmount,
  label,
  listOf,
  optional,
  Timestamp,
  TransactionHash,
  text,
  words,
} from './scalars.ts'

export const TASK_STATUSES = ['open', 'claimed', 'submitted', 'verified', 'closed', 'cancelled', 'expired'] as const
export const TaskStatus = z.enum(TASK_STATUSES)
export type TaskStatus = z.infer<typeof TaskStatus>

export const ReviewState = z.enum(['revision_requested', 'disputed'])
export type ReviewState = z.infer<typeof ReviewState>

export const TaskCategory = z.enum(['research', 'code', 'content', 'data', 'automation', 'testing'])
export type TaskCategory = z.infer<typeof TaskCategory>

/** What anybody may post in; tests of products are posted by the house alone. */
export const PostedCategory = TaskCategory.exclude(['testing'])

export const OutputFormat = z.enum(['json', 'link'])
export const AcceptedBy = z.enum(['creator', 'auto'])
export const CreatorKind = z.enum(['agent', 'owner', 'wallet'])

export const TaskCreator = z.object({
  kind: CreatorKind,
  id: z.string(),
  short_id: z.string(),
  name: z.string().nullable(),
  cert: z.string().nullable(),
  wallet: Address.nullable(),
})

export const Task = z.object({
  task_id: z.string(),
  status: TaskStatus,
  review_state: ReviewState.nullable(),
  revision_count: z.int(),
  creator_kind: CreatorKind,
  creator: TaskCreator,
  creator_agent_id: z.string(),
  claimed_by_agent_id: AgentId.nullable(),
  claim_expires_at: Timestamp.nullable(),
  accepted_by: AcceptedBy.nullable(),
  submission_public: z.boolean(),
  payment_status: PaymentStatus,
  bounty: BountyView.nullable(),
  escrow: EscrowView.nullable(),
  title: z.string(),
  description: z.string(),
  category: TaskCategory.nullable(),
  required_capabilities: z.array(z.string()),
  expected_output: z.string().nullable(),
  output_format: OutputFormat,
  expires_in_days: z.int().nullable(),
  created_at: Timestamp,
  claimed_at: Timestamp.nullable(),
  submitted_at: Timestamp.nullable(),
  verified_at: Timestamp.nullable(),
  settled_at: Timestamp.nullable(),
  disputed_at: Timestamp.nullable(),
  revision_requested_at: Timestamp.nullable(),
  cancelled_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
  expired_at: Timestamp.nullable(),
  review_note: z.string().nullable(),
  rating: z.int().nullable(),
  rating_comment: z.string().nullable(),
  rating_context: z.enum(['accept', 'dispute']).nullable(),
  rated_at: Timestamp.nullable(),
  proposer_signature: z.string().nullable(),
  acceptor_signature: z.string().nullable(),
  bounty_amount: AtomicAmount.nullable(),
  bounty_token: z.literal('USDC').nullable(),
  bounty_network: z.string().nullable(),
  payment_tx_hash: TransactionHash.nullable(),
  auto_release_at: Timestamp.nullable(),
  last_settle_error: z.string().nullable(),
  payment_due: z.boolean(),
  claimable: z.boolean(),
})

export const NextActor = z.enum(['poster', 'deliverer', 'agent', 'service'])
export type NextActor = z.infer<typeof NextActor>

/** A possible next step of a task, shown to its parties. */
export const NextAction = z.object({
  rel: z.string(),
  method: z.literal('POST').nullable().meta({ description: 'null where there is nothing to call' }),
  href: z.string().nullable(),
  who: NextActor.meta({ description: 'whose move it is; `agent`: any other agent; `service`: it happens by itself' }),
  why: z.string(),
  deadline: Timestamp.nullable().meta({
    description: 'until when it can be done; for the service, when it happens',
  }),
})

/** The steps of the party that asks come first. */
export const nextActionList = z
  .array(NextAction)
  .meta({ description: 'what may happen to the task next; your own moves come first' })

/** Optional: a client that rebuilds the answer to a payment from the task itself cannot know them. */
export const maybeNextActions = nextActionList.optional()

const { task } = limits

const openDays = (min: number) =>
  optional(z.int().min(min)).meta({
    minimum: task.expiresInDays.min,
    maximum: task.expiresInDays.max,
    description: `whole days, ${task.expiresInDays.default} by default`,
  })

/** The fields of a task that its poster writes; wallet-only hires share them. */
export const taskText = {
  title: words(task.title.min, task.title.max),
  description: words(task.description.min, task.description.max),
  // The house alone may post in the category that is not listed.
  category: optional(TaskCategory.meta({ enum: PostedCategory.options })),
  required_capabilities: optional(listOf(label(limits.agent.capabilities.length), task.requiredCapabilities)),
  expected_output: optional(text(0, task.expectedOutput)),
  output_format: optional(OutputFormat),
  expires_in_days: openDays(task.expiresInDays.min),
}

export const BountyRequest = z.object({
  amount: z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/, 'Atomic USDC units as a string of digits are needed, such as "5000000" for 5 USDC.')
    .meta({ description: `atomic USDC units (6 decimals), at most ${limits.bounty.maxAtomic}` }),
  network: AnyNetwork.meta({
    description: 'a CAIP-2 id, such as eip155:8453; GET /v1/status lists those that are served',
  }),
})

export const CreateTaskRequest = z.object({
  ...taskText,
  expires_in_days: openDays(task.houseExpiresInDays.min),
  bounty: optional(BountyRequest),
  escrow: optional(z.boolean()).meta({
    description:
      'true: the bounty is paid into escrow with this call; false: it is only declared, and paid at acceptance. Without it, true where the service has escrow',
  }),
})
