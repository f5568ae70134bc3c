import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'
import { isId } from '../ids.ts'
import { limits } from '../limits.ts'
import { DeliveryReceipt, Submission } from '../schemas/delivery.ts'
import { TaskPayment } from '../schemas/payment.ts'
import { queryInteger } from '../schemas/scalars.ts'
import { nextActionList, Task, TaskStatus } from '../schemas/task.ts'
import * as tasks from './tasks.ts'

const area = 'Owner tasks'
const ok = z.literal(true)
const params = z.object({ id: z.string() })
const byOwner = { area, auth: 'owner', caching: 'private' } as const

/** What only an agent can be told: a person has no standing to lose, and tasks of others are not there. */
const AGENTS_ONLY: ReadonlySet<ErrorCode> = new Set(['agent_not_active', 'forbidden'])

const withoutAgents = ({ refuses }: { readonly refuses: readonly ErrorCode[] }): readonly ErrorCode[] =>
  refuses.filter((code) => !AGENTS_ONLY.has(code))

export const createOwnerTask = endpoint({
  ...tasks.createTask,
  ...byOwner,
  path: '/v1/owner/tasks',
  summary: 'Post a task as a person. A bounty in escrow is paid by any wallet, with the same 402 as an agent gets.',
  refuses: ['forbidden', ...withoutAgents(tasks.createTask)],
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
  ...tasks.acceptTask,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/accept',
  refuses: withoutAgents(tasks.acceptTask),
})

export const reviseOwnerTask = endpoint({
  ...tasks.requestRevision,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/revision',
  refuses: withoutAgents(tasks.requestRevision),
})

export const disputeOwnerTask = endpoint({
  ...tasks.disputeTask,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/dispute',
  refuses: withoutAgents(tasks.disputeTask),
})

export const cancelOwnerTask = endpoint({
  ...tasks.cancelTask,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/cancel',
  refuses: withoutAgents(tasks.cancelTask),
})

export const fundOwnerTask = endpoint({
  ...tasks.fundTask,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/fund',
  refuses: withoutAgents(tasks.fundTask),
})

export const publishOwnerSubmission = endpoint({
  ...tasks.publishSubmission,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/submission/publish',
  refuses: withoutAgents(tasks.publishSubmission),
})

export const unpublishOwnerSubmission = endpoint({
  ...tasks.unpublishSubmission,
  ...byOwner,
  path: '/v1/owner/tasks/{id}/submission/unpublish',
  refuses: withoutAgents(tasks.unpublishSubmission),
})
