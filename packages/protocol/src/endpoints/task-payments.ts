import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  EscrowView,
  PaymentEvent,
  PaymentRequired,
  PaymentRequirements,
  PaymentStatus,
  RequirementsUnavailableReason,
  TaskPayment,
} from '../schemas/payment.ts'
import { TransactionHash } from '../schemas/scalars.ts'
import { maybeNextActions, TaskStatus } from '../schemas/task.ts'

const area = 'Tasks'
const ok = z.literal(true)
const params = z.object({ id: z.string() })

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
    'conflict',
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
    requirements_unavailable_reason: RequirementsUnavailableReason.nullable().meta({
      description: 'why there are no requirements; null also when the bounty is paid or its payment is under way',
    }),
    payment_required: PaymentRequired.nullable(),
    accept_endpoint: z.string(),
    fund_endpoint: z.string().optional(),
    payment_header: z.literal('PAYMENT-SIGNATURE'),
    events: z.array(PaymentEvent),
  }),
  refuses: ['not_found'],
})
