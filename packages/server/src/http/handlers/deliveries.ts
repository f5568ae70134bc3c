import type { Endpoints } from '@guildhall/protocol'
import { agentAsPoster } from '../../actions/poster.ts'
import { publishSubmission } from '../../actions/tasks/publish-submission.ts'
import type { Submission } from '../../domain/delivery/delivery.ts'
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

    /** What an earlier agent delivered before its claim lapsed stays private: the poster publishes the newest agent's work. */
    async listReceipts({ params }) {
      const { task, receipt } = await taskDetail(world, params.id)
      const whose = task.publishedAt === null || receipt === null ? 'nobody' : receipt
      return { body: { ok: true, receipts: await receiptsOf(world, params.id, whose) } }
    },

    /** The poster sees every delivery, a deliverer its own: a task that lapsed may have had several. */
    async getSubmission({ params, caller }) {
      const { task } = await taskDetail(world, params.id)
      const isPoster = task.creator.id === caller.agent.id
      const whose = isPoster ? 'everybody' : { agentId: caller.agent.id }
      const [newest] = await submissionsOf(world, params.id, whose)
      if (!newest && !isPoster && task.claimedBy !== caller.agent.id)
        refuse('forbidden', {}, 'Only the poster and the deliverer may read the delivery.')
      if (!newest) refuse('not_found', { resource: 'submission' }, 'Nothing has been delivered yet.')
      const receipts = await receiptsOf(world, params.id, whose)
      const party = isPoster ? 'poster' : task.claimedBy === caller.agent.id ? 'deliverer' : null
      const next_actions = nextActionsView(task, party, world.clock.now())
      return { body: { ok: true, submission: submissionView(newest), receipts, next_actions } }
    },

    publishSubmission: publish(true),
    unpublishSubmission: publish(false),
  }
}

/** Whose deliveries may be read along with the receipts, which everybody sees. */
type Whose = 'nobody' | 'everybody' | { readonly agentId: string }

/** Newest first, with what was delivered where it may be read. */
export async function receiptsOf(world: World, taskId: string, whose: Whose) {
  const [receipts, submissions] = await Promise.all([world.store.receipts(taskId), submissionsOf(world, taskId, whose)])
  const byId = new Map(submissions.map((submission) => [submission.id, submission]))
  return receipts.map((receipt) => receiptView(receipt, byId.get(receipt.submissionId) ?? null))
}

async function submissionsOf({ store }: World, taskId: string, whose: Whose): Promise<readonly Submission[]> {
  if (whose === 'nobody') return []
  const submissions = await store.submissions(taskId)
  return whose === 'everybody' ? submissions : submissions.filter(({ agentId }) => agentId === whose.agentId)
}
