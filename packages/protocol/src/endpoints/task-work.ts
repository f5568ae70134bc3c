import { z } from 'zod'
import { DAY } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { DeliverRequest, LegacySubmitRequest } from '../schemas/delivery.ts'
import { HexHash } from '../schemas/scalars.ts'
import { nextActionList, TaskStatus } from '../schemas/task.ts'

const area = 'Tasks'
const ok = z.literal(true)
const params = z.object({ id: z.string() })
const next_actions = nextActionList

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
