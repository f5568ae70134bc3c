import type { Endpoints } from '@guildhall/protocol'
import { agentAsPoster } from '../../actions/tasks/poster.ts'
import { publishSubmission } from '../../actions/tasks/publish-submission.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import type { Call, Handlers } from '../handler.ts'
import { receiptView, submissionView } from '../views/delivery-view.ts'
import { nextActionsView } from '../views/next-actions-view.ts'
import { publishedView } from '../views/posted-view.ts'
import { taskDetail } from './task-detail.ts'

type DeliveryHandlers = Pick<
  Handlers,
  'getReceipt' | 'listReceipts' | 'getSubmission' | 'publishSubmission' | 'unpublishSubmission'
>

export function deliveryHandlers(world: World): DeliveryHandlers {
  const { store } = world
  const publish =
    (shown: boolean) =>
    async ({ params, caller }: Call<Endpoints['publishSubmission'] | Endpoints['unpublishSubmission']>) => {
      return { body: publishedView(await publishSubmission(world, agentAsPoster(caller), params.id, shown)) }
    }

  return {
    async getReceipt({ params }) {
      const { task, receipt, submission } = await taskDetail(world, params.id)
      if (receipt === null) refuse('not_found', { resource: 'receipt' }, 'Nothing has been delivered yet.')
      return { body: { ok: true, receipt: receiptView(receipt, task.publishedAt === null ? null : submission) } }
    },

    async listReceipts({ params }) {
      const task =
        (await store.task(params.id)) ?? refuse('not_found', { resource: 'task' }, `There is no task ${params.id}.`)
      return { body: { ok: true, receipts: await receiptsOf(world, params.id, task.publishedAt !== null) } }
    },

    /** The poster sees every delivery, a deliverer its own: a task that lapsed may have had several. */
    async getSubmission({ params, caller }) {
      const { task } = await taskDetail(world, params.id)
      const isPoster = task.creator.id === caller.agent.id
      const sees = (agentId: string) => isPoster || agentId === caller.agent.id
      const [newest] = (await store.submissions(params.id)).filter(({ agentId }) => sees(agentId))
      if (!newest && !isPoster && task.claimedBy !== caller.agent.id)
        refuse('forbidden', {}, 'Only the poster and the deliverer may read the delivery.')
      if (!newest) refuse('not_found', { resource: 'submission' }, 'Nothing has been delivered yet.')
      const receipts = await receiptsOf(world, params.id, true)
      const shown = receipts.map((receipt) => (sees(receipt.agent_id) ? receipt : { ...receipt, payload: null }))
      const party = isPoster ? 'poster' : task.claimedBy === caller.agent.id ? 'deliverer' : null
      const next_actions = nextActionsView(task, party, world.clock.now())
      return { body: { ok: true, submission: submissionView(newest), receipts: shown, next_actions } }
    },

    publishSubmission: publish(true),
    unpublishSubmission: publish(false),
  }
}

/** Newest first; what was delivered is shown only where `withPayload` says so. */
export async function receiptsOf({ store }: World, taskId: string, withPayload: boolean) {
  const [receipts, submissions] = await Promise.all([
    store.receipts(taskId),
    withPayload ? store.submissions(taskId) : [],
  ])
  const byId = new Map(submissions.map((submission) => [submission.id, submission]))
  return receipts.map((receipt) => receiptView(receipt, byId.get(receipt.submissionId) ?? null))
}
