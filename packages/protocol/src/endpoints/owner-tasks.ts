import { z } from 'zod'
import { HOUR } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'
import { isId } from '../ids.ts'
import { limits } from '../limits.ts'
import { DeliveryReceipt, Submission } from '../schemas/delivery.ts'
import { TaskPayment } from '../schemas/payment.ts'
import { queryInteger } from '../schemas/scalars.ts'
import { nextActionList, Task, TaskStatus } from '../schemas/task.ts'
import { publishSubmission, unpublishSubmission } from './deliveries.ts'
import { fundTask } from './task-payments.ts'
import { acceptTask, cancelTask, disputeTask, requestRevision } from './task-review.ts'
import { createTask } from './tasks.ts'

const area = 'Owner tasks'
const ok = z.literal(true)
const params = z.object({ id: z.string() })
const byOwner = { area, auth: 'owner', caching: 'private' } as const

/** Refusals that only an agent can get: a person has no status, and tasks of others count as not found. */
const AGENTS_ONLY: ReadonlySet<ErrorCode> = new Set(['agent_not_active', 'forbidden'])

const withoutAgents = ({ refuses }: { readonly refuses: readonly ErrorCode[] }): readonly ErrorCode[] =>
  refuses.filter((code) => !AGENTS_ONLY.has(code))

export const createOwnerTask = endpoint({
  ...createTask,
  ...byOwner,
  path: '/v1/owner/tasks',
  summary: 'Post a task as a person. A bounty in escrow is paid by any wallet, with the same 402 as an agent gets.',
  limit: {
    name: 'unpaid-tasks',
    per: 'owner',
    counts: 'done',
    points: limits.owner.unpaidTasksPerHour,
    windowMs: HOUR,
  },
  refuses: ['forbidden', ...withoutAgents(createTask)],
})

export const listOwnerTasks = endpoint({
  ...byOwner,
  method: 'GET',
  path: '/v1/owner/tasks',
  summary: 'Your tasks, newest first, in whatever state unless one is asked for.',
  query: z.object({
    status: TaskStatus.optional(),
    limit: queryInteger(1, limits.list.max, limits.list.default),
    cursor: z
      .string()
      .refine((text) => isId('task', text), 'Send next_cursor of the page before.')
      .optional()
      .meta({ description: 'next_cursor of the page before: older tasks follow' }),
  }),
  queryErrors: { cursor: 'invalid_cursor' },
  returns: z.object({ ok, tasks: z.array(Task), next_cursor: z.string().nullable() }),
  refuses: [],
})

export const getOwnerTask = endpoint({
  ...byOwner,
  method: 'GET',
  path: '/v1/owner/tasks/{id}',
  summary: 'One of your tasks with its delivery, its money, and what you can do next.',
  params,
  returns: z.object({
    ok,
    task: Task,
    submission: Submission.nullable(),
    receipts: z.array(DeliveryReceipt).meta({ description: 'newest first, with what was delivered' }),
    payment: TaskPayment,
    next_actions: nextActionList,
  }),
  refuses: ['not_found'],
})

export const acceptOwnerTask = endpoint({
  ...acceptTask,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/accept',
  refuses: withoutAgents(acceptTask),
})

export const reviseOwnerTask = endpoint({
  ...requestRevision,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/revision',
  refuses: withoutAgents(requestRevision),
})

export const disputeOwnerTask = endpoint({
  ...disputeTask,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/dispute',
  refuses: withoutAgents(disputeTask),
})

export const cancelOwnerTask = endpoint({
  ...cancelTask,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/cancel',
  refuses: withoutAgents(cancelTask),
})

export const fundOwnerTask = endpoint({
  ...fundTask,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/fund',
  refuses: withoutAgents(fundTask),
})

export const publishOwnerSubmission = endpoint({
  ...publishSubmission,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/submission/publish',
  refuses: withoutAgents(publishSubmission),
})

export const unpublishOwnerSubmission = endpoint({
  ...unpublishSubmission,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/submission/unpublish',
  refuses: withoutAgents(unpublishSubmission),
})
