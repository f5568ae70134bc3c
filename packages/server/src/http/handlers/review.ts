import type { Endpoints } from '@guildhall/protocol'
import { afterChange } from '../../actions/after-change.ts'
import { acceptTask } from '../../actions/tasks/accept-task.ts'
import { cancelTask } from '../../actions/tasks/cancel-task.ts'
import { agentAsPoster, type Poster } from '../../actions/tasks/poster.ts'
import { disputeTask, requestRevision } from '../../actions/tasks/review-task.ts'
import type { World } from '../../ports/world.ts'
import type { Call, Handlers } from '../handler.ts'
import { paymentResponseHeader } from '../views/payment-view.ts'
import { acceptedView, cancelView, disputeView, revisionView } from '../views/review-view.ts'

type ReviewHandlers = Pick<Handlers, 'acceptTask' | 'verifyTask' | 'requestRevision' | 'disputeTask' | 'cancelTask'>

type AcceptCall = Call<Endpoints['acceptTask'] | Endpoints['verifyTask']>

/** Accepts for a poster of any kind; a bounty paid by this call is shown in PAYMENT-RESPONSE. */
export async function answerAcceptance(
  world: World,
  poster: Poster,
  taskId: string,
  body: AcceptCall['body'],
  payment: string | null,
) {
  const acceptance = { note: body.note ?? null, stars: body.rating ?? null, comment: body.rating_comment ?? null }
  const accepted = await acceptTask(world, poster, taskId, acceptance, payment)
  const { task, paidBy } = accepted
  const transfer = task.escrow === null && paidBy !== null ? await afterChange(world.store.transfer(paidBy)) : null
  return { headers: paymentResponseHeader(transfer), body: acceptedView(accepted, world.clock.now()) }
}

export function reviewHandlers(world: World): ReviewHandlers {
  const now = () => world.clock.now()
  const accept = ({ params, body, caller, payment }: AcceptCall) =>
    answerAcceptance(world, agentAsPoster(caller), params.id, body, payment)

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
