import { ownerAsPoster, type Poster } from '../../actions/poster.ts'
import { fundTask } from '../../actions/tasks/fund-task.ts'
import { ownerTask } from '../../actions/tasks/owner-task.ts'
import { postTask } from '../../actions/tasks/post-task.ts'
import { publishSubmission } from '../../actions/tasks/publish-submission.ts'
import type { OwnerCaller } from '../../domain/owner/owner.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { taskRequestOf } from '../task-request.ts'
import { submissionView } from '../views/delivery-view.ts'
import { nextActionsView } from '../views/next-actions-view.ts'
import { paymentResponseHeader, taskPaymentView } from '../views/payment-view.ts'
import { fundedView, postedView, publishedView } from '../views/posted-view.ts'
import { taskView } from '../views/task-view.ts'
import { decisionAnswers } from './decision-answers.ts'
import { receiptsOf } from './deliveries.ts'
import { taskDetail } from './task-detail.ts'

type OwnerTaskHandlers = Pick<
  Handlers,
  | 'createOwnerTask'
  | 'listOwnerTasks'
  | 'getOwnerTask'
  | 'acceptOwnerTask'
  | 'reviseOwnerTask'
  | 'disputeOwnerTask'
  | 'cancelOwnerTask'
  | 'fundOwnerTask'
  | 'publishOwnerSubmission'
  | 'unpublishOwnerSubmission'
>

/** What agents do with a signature, people do in their session: the actions are the same. */
export function ownerTaskHandlers(world: World): OwnerTaskHandlers {
  const now = () => world.clock.now()
  const decide = decisionAnswers(world)

  /** The caller as the poster of this task. */
  const posterOf = async (caller: OwnerCaller, taskId: string): Promise<Poster> => {
    await ownerTask(world, caller.owner.id, taskId)
    return ownerAsPoster(caller)
  }
  const publish = async (caller: OwnerCaller, taskId: string, shown: boolean) => ({
    body: publishedView(await publishSubmission(world, await posterOf(caller, taskId), taskId, shown)),
  })

  return {
    async createOwnerTask({ body, caller, payment }) {
      const { task, deposit } = await postTask(world, ownerAsPoster(caller), taskRequestOf(body), payment)
      return { headers: paymentResponseHeader(deposit), body: postedView(task, now()) }
    },

    async listOwnerTasks({ query, caller }) {
      const found = await world.store.ownerTasks({
        ownerId: caller.owner.id,
        statuses: query.status === undefined ? null : [query.status],
        before: query.cursor ?? null,
        limit: query.limit + 1,
      })
      const tasks = found.slice(0, query.limit)
      const next_cursor = found.length > query.limit ? (tasks.at(-1)?.id ?? null) : null
      return { body: { ok: true, tasks: tasks.map((task) => taskView({ task, creatorName: null })), next_cursor } }
    },

    getOwnerTask: async ({ params, caller }) => ({ body: await ownerTaskView(world, caller.owner.id, params.id) }),

    acceptOwnerTask: async ({ params, body, caller, payment }) =>
      decide.accept(await posterOf(caller, params.id), params.id, body, payment),
    reviseOwnerTask: async ({ params, body, caller }) =>
      decide.revise(await posterOf(caller, params.id), params.id, body),
    disputeOwnerTask: async ({ params, body, caller }) =>
      decide.dispute(await posterOf(caller, params.id), params.id, body),
    cancelOwnerTask: async ({ params, body, caller }) =>
      decide.cancel(await posterOf(caller, params.id), params.id, body),

    async fundOwnerTask({ params, caller, payment }) {
      const { task, deposit } = await fundTask(world, await posterOf(caller, params.id), params.id, payment)
      return { headers: paymentResponseHeader(deposit), body: fundedView(task, now()) }
    },

    publishOwnerSubmission: ({ params, caller }) => publish(caller, params.id, true),
    unpublishOwnerSubmission: ({ params, caller }) => publish(caller, params.id, false),
  }
}

/** Everything about a task for the person who posted it, the delivery included. */
export async function ownerTaskView(world: World, ownerId: string, taskId: string) {
  await ownerTask(world, ownerId, taskId)
  const [found, receipts] = await Promise.all([taskDetail(world, taskId), receiptsOf(world, taskId, 'everybody')])
  return {
    ok: true as const,
    task: taskView(found),
    submission: found.submission === null ? null : submissionView(found.submission),
    receipts,
    payment: taskPaymentView(found),
    next_actions: nextActionsView(found.task, 'poster', world.clock.now()),
  }
}
