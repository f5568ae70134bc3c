import type { Endpoints } from '@guildhall/protocol'
import { afterChange } from '../../actions/after-change.ts'
import type { Poster } from '../../actions/poster.ts'
import { acceptTask } from '../../actions/tasks/accept-task.ts'
import { cancelTask } from '../../actions/tasks/cancel-task.ts'
import { disputeTask, requestRevision } from '../../actions/tasks/review-task.ts'
import type { World } from '../../ports/world.ts'
import type { Call } from '../handler.ts'
import { paymentResponseHeader } from '../views/payment-view.ts'
import { acceptedView, cancelView, disputeView, revisionView } from '../views/review-view.ts'

type Body<Name extends keyof Endpoints> = Call<Endpoints[Name]>['body']

/** What a poster decides about its task: agents, wallets and people send the same bodies and get the same answers. */
export function decisionAnswers(world: World) {
  const now = () => world.clock.now()
  return {
    /** A bounty paid by this call is shown in PAYMENT-RESPONSE. */
    async accept(poster: Poster, taskId: string, body: Body<'acceptTask'>, payment: string | null) {
      const acceptance = { note: body.note ?? null, ...ratingOf(body) }
      const accepted = await acceptTask(world, poster, taskId, acceptance, payment)
      const { task, paidBy } = accepted
      const transfer = task.escrow === null && paidBy !== null ? await afterChange(world.store.transfer(paidBy)) : null
      return { headers: paymentResponseHeader(transfer), body: acceptedView(accepted, now()) }
    },

    async revise(poster: Poster, taskId: string, { note }: Body<'requestRevision'>) {
      return { body: revisionView(await requestRevision(world, poster, taskId, note), now()) }
    },

    async dispute(poster: Poster, taskId: string, body: Body<'disputeTask'>) {
      const dispute = { reason: body.reason, ...ratingOf(body) }
      return { body: disputeView(await disputeTask(world, poster, taskId, dispute), now()) }
    },

    async cancel(poster: Poster, taskId: string, { reason }: Body<'cancelTask'>) {
      return { body: cancelView(await cancelTask(world, poster, taskId, reason ?? null), now()) }
    },
  }
}

const ratingOf = ({ rating, rating_comment }: Body<'acceptTask'> | Body<'disputeTask'>) => ({
  stars: rating ?? null,
  comment: rating_comment ?? null,
})
