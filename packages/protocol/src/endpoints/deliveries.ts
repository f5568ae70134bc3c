import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { DeliveryReceipt, Submission } from '../schemas/delivery.ts'
import { Timestamp } from '../schemas/scalars.ts'
import { nextActionList } from '../schemas/task.ts'

const area = 'Tasks'
const ok = z.literal(true)
const params = z.object({ id: z.string() })
const next_actions = nextActionList

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
