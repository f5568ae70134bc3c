import { parseUsdc, TASK_STATUSES } from '@guildhall/protocol'
import { claimTask } from '../../actions/tasks/claim-task.ts'
import { deliverTask } from '../../actions/tasks/deliver-task.ts'
import { postTask } from '../../actions/tasks/post-task.ts'
import { agentAsPoster } from '../../actions/tasks/poster.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { taskRequestOf } from '../task-request.ts'
import { receiptView, submissionView } from '../views/delivery-view.ts'
import { nextActionsView } from '../views/next-actions-view.ts'
import { paymentResponseHeader, taskPaymentView } from '../views/payment-view.ts'
import { postedView } from '../views/posted-view.ts'
import { taskView } from '../views/task-view.ts'
import { taskDetail } from './task-detail.ts'

type TaskHandlers = Pick<Handlers, 'listTasks' | 'createTask' | 'getTask' | 'claimTask' | 'deliverTask' | 'submitTask'>

const LISTED_BY_DEFAULT = TASK_STATUSES.filter((status) => status !== 'cancelled' && status !== 'expired')

export function taskHandlers(world: World): TaskHandlers {
  const { store } = world
  const now = () => world.clock.now()
  return {
    async listTasks({ query }) {
      const tasks = await store.listTasks({
        statuses: query.status === 'all' ? null : query.status === undefined ? LISTED_BY_DEFAULT : [query.status],
        category: query.category ?? null,
        capability: query.capability ?? null,
        creator: query.creator ?? null,
        claimer: query.claimer ?? null,
        minAmount: query.min_usdc === undefined ? null : parseUsdc(query.min_usdc),
        limit: query.limit,
        offset: query.offset,
      })
      return { body: { ok: true, tasks: tasks.map(taskView) } }
    },

    async createTask({ body, caller, payment }) {
      const { task, deposit } = await postTask(world, agentAsPoster(caller), taskRequestOf(body), payment)
      return { headers: paymentResponseHeader(deposit), body: postedView(task, now()) }
    },

    async getTask({ params }) {
      const found = await taskDetail(world, params.id)
      const shown = found.task.publishedAt === null ? null : found.submission
      return {
        body: {
          ok: true,
          task: taskView(found),
          submission: shown === null ? null : submissionView(shown),
          delivery_receipt: found.receipt === null ? null : receiptView(found.receipt, shown),
          receipts_count: found.task.receiptsCount,
          payment: taskPaymentView(found),
        },
      }
    },

    async claimTask({ params, caller }) {
      const task = await claimTask(world, caller, params.id)
      return {
        body: {
          ok: true,
          task_id: task.id,
          status: task.status,
          next_actions: nextActionsView(task, 'deliverer', now()),
        },
      }
    },

    async deliverTask({ params, body, caller }) {
      const { task, receipt, seal } = await deliverTask(world, caller, params.id, {
        type: body.submission_type,
        summary: body.summary,
        content: body.submission_content ?? null,
        artifactUrls: body.artifact_urls ?? null,
        commitHash: body.commit_hash ?? null,
        prUrl: body.pr_url ?? null,
      })
      return {
        body: {
          ok: true,
          task_id: task.id,
          receipt_id: receipt.id,
          chain_sequence: seal?.sequence ?? null,
          chain_entry_hash: seal?.entryHash ?? null,
          status: task.status,
          revision_count: task.revisionCount,
          next_actions: nextActionsView(task, 'deliverer', now()),
        },
      }
    },

    async submitTask({ params, body, caller }) {
      const delivery = { type: body.submission_type, summary: body.summary, content: body.content }
      const nothingElse = { artifactUrls: null, commitHash: null, prUrl: null }
      const { task, submission } = await deliverTask(world, caller, params.id, { ...delivery, ...nothingElse })
      return {
        body: {
          ok: true,
          submission_id: submission.id,
          task_id: task.id,
          status: task.status,
          revision_count: task.revisionCount,
          next_actions: nextActionsView(task, 'deliverer', now()),
        },
      }
    },
  }
}
