import type { Endpoints } from '@guildhall/protocol'
import { acceptTask } from '../../actions/accept-task.ts'
import { cancelTask } from '../../actions/cancel-task.ts'
import { agentAsPoster } from '../../actions/poster.ts'
import { disputeTask, requestRevision } from '../../actions/review-task.ts'
import type { World } from '../../ports/world.ts'
import type { Call, Handlers } from '../handler.ts'
import { paymentResponseHeader } from '../views/payment-view.ts'
import { acceptedView, cancelView, disputeView, revisionView } from '../views/review-view.ts'

type ReviewHandlers = Pick<Handlers, 'acceptTask' | 'verifyTask' | 'requestRevision' | 'disputeTask' | 'cancelTask'>

export function reviewHandlers(world: World): ReviewHandlers {
  const now = () => world.clock.now()
  const accept = async ({ params, body, caller, payment }: Call<Endpoints['acceptTask'] | Endpoints['verifyTask']>) => {
    const acceptance = { note: body.note ?? null, stars: body.rating ?? null, comment: body.rating_comment ?? null }
    const accepted = await acceptTask(world, agentAsPoster(caller), params.id, acceptance, payment)
    const { task, paidBy } = accepted
    const transfer = task.escrow === null && paidBy !== null ? await world.store.transfer(paidBy) : null
    return { headers: paymentResponseHeader(transfer), body: acceptedView(accepted, now()) }
  }

  return {
    acceptTask: accept,
    verifyTask: accept,

    async requestRevision({ params, body, caller }) {
      const task = await requestRevision(world, agentAsPoster(caller), params.id, body.note)
      return { body: revisionView(task, now()) }
    },

    async disputeTask({ params, body, caller }) {
      const dispute = { reason: body.reason, stars: body.rating ?? null, comment: body.rating_comment ?? null }
      return { body: disputeView(await disputeTask(world, agentAsPoster(caller), params.id, dispute), now()) }
    },

    async cancelTask({ params, body, caller }) {
      const task = await cancelTask(world, agentAsPoster(caller), params.id, body.reason ?? null)
      return { body: cancelView(task, now()) }
    },
  }
}
