import { agentAsPoster } from '../../actions/poster.ts'
import { claimTask } from '../../actions/tasks/claim-task.ts'
import { deliverTask } from '../../actions/tasks/deliver-task.ts'
import { postTask } from '../../actions/tasks/post-task.ts'
import { refuseField } from '../../domain/refusal.ts'
import { refuseUnknownTask } from '../../domain/task/refuse-unknown-task.ts'
import type { World } from '../../ports/world.ts'
import type { KeptDocuments } from '../documents/kept-documents.ts'
import { publicTask } from '../documents/public-task.ts'
import { publicTaskList } from '../documents/public-task-list.ts'
import type { Handlers } from '../handler.ts'
import { taskRequestOf } from '../task-request.ts'
import { paymentResponseHeader } from '../views/payment-view.ts'
import { postedView } from '../views/posted-view.ts'
import { claimedView, deliveredView, submittedView } from '../views/work-view.ts'

type TaskHandlers = Pick<Handlers, 'listTasks' | 'createTask' | 'getTask' | 'claimTask' | 'deliverTask' | 'submitTask'>

export function taskHandlers(world: World, documents: KeptDocuments): TaskHandlers {
  const { store } = world
  const now = () => world.clock.now()
  return {
    listTasks: async ({ query }) => ({ document: await documents.show(publicTaskList(store, query)) }),

    async createTask({ body, caller, payment }) {
      const { task, deposit } = await postTask(world, agentAsPoster(caller), taskRequestOf(body), payment)
      return { headers: paymentResponseHeader(deposit), body: postedView(task, now()) }
    },

    async getTask({ params: { id } }) {
      return { document: (await documents.show(publicTask(store, id))) ?? refuseUnknownTask(id) }
    },

    async claimTask({ params, caller }) {
      return { body: claimedView(await claimTask(world, caller, params.id), now()) }
    },

    async deliverTask({ params, body, caller, context }) {
      refuseEscaped(context.path)
      const delivered = await deliverTask(world, caller, params.id, {
        type: body.submission_type,
        summary: body.summary,
        content: body.submission_content ?? null,
        artifactUrls: body.artifact_urls ?? null,
        commitHash: body.commit_hash ?? null,
        prUrl: body.pr_url ?? null,
      })
      return { body: deliveredView(delivered, now()) }
    },

    async submitTask({ params, body, caller, context }) {
      refuseEscaped(context.path)
      const delivery = { type: body.submission_type, summary: body.summary, content: body.content }
      const nothingElse = { artifactUrls: null, commitHash: null, prUrl: null }
      const delivered = await deliverTask(world, caller, params.id, { ...delivery, ...nothingElse })
      return { body: submittedView(delivered, now()) }
    },
  }
}

/** The signature of a delivery becomes its receipt, and those who check it know only the plain path. */
function refuseEscaped(path: string): void {
  const message =
    'Write the id of the task as it is, without percent-encoding: the receipt is checked against the path.'
  if (path.includes('%')) refuseField('id', message)
}
