import { parseUsdc, TASK_STATUSES } from '@guildhall/protocol'
import { claimTask } from '../../actions/claim-task.ts'
import { deliverTask } from '../../actions/deliver-task.ts'
import { postTask } from '../../actions/post-task.ts'
import { agentAsPoster } from '../../actions/poster.ts'
import { isClaimable } from '../../domain/task/claimable.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { bountyView } from '../views/bounty-view.ts'
import { receiptView, submissionView } from '../views/delivery-view.ts'
import { nextActionsView } from '../views/next-actions-view.ts'
import { escrowView, paymentResponseHeader, taskPaymentView } from '../views/payment-view.ts'
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
      const request = {
        title: body.title,
        description: body.description,
        category: body.category ?? null,
        requiredCapabilities: body.required_capabilities ?? [],
        expectedOutput: body.expected_output ?? null,
        outputFormat: body.output_format ?? 'json',
        expiresInDays: body.expires_in_days ?? null,
        bounty: body.bounty ? { amount: BigInt(body.bounty.amount), network: body.bounty.network } : null,
        escrow: body.escrow ?? null,
      }
      const { task, deposit } = await postTask(world, agentAsPoster(caller), request, payment)
      return {
        headers: paymentResponseHeader(deposit),
        body: {
          ok: true,
          task_id: task.id,
          status: task.status,
          payment_status: task.paymentStatus,
          bounty: bountyView(task.bounty),
          escrow: escrowView(task),
          ...(task.escrow ? { claimable: isClaimable(task) } : {}),
          deposit_tx_hash: task.escrow?.depositTx ?? null,
          settle_error: task.settleError,
          next_actions: nextActionsView(task, 'poster', now()),
        },
      }
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
