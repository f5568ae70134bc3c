import type { Endpoints } from '@guildhall/protocol'
import { acceptTask } from '../../actions/accept-task.ts'
import { cancelTask } from '../../actions/cancel-task.ts'
import { disputeTask, requestRevision } from '../../actions/review-task.ts'
import { isoTimeOrNull } from '../../domain/instant.ts'
import type { World } from '../../ports/world.ts'
import type { Call, Handlers } from '../handler.ts'
import { escrowView, paymentResponseHeader } from '../views/payment-view.ts'

type ReviewHandlers = Pick<Handlers, 'acceptTask' | 'verifyTask' | 'requestRevision' | 'disputeTask' | 'cancelTask'>

export function reviewHandlers(world: World): ReviewHandlers {
  const accept = async ({ params, body, caller, payment }: Call<Endpoints['acceptTask'] | Endpoints['verifyTask']>) => {
    const acceptance = { note: body.note ?? null, stars: body.rating ?? null, comment: body.rating_comment ?? null }
    const { task, seal, paidBy } = await acceptTask(world, caller, params.id, acceptance, payment)
    const transfer = task.escrow === null && paidBy !== null ? await world.store.transfer(paidBy) : null
    return {
      headers: paymentResponseHeader(transfer),
      body: {
        ok: true as const,
        task_id: task.id,
        status: task.status,
        accepted_by: task.acceptedBy,
        payment_status: task.paymentStatus,
        payment_tx_hash: task.paymentTx,
        settle_error: task.settleError,
        chain_sequence: seal?.sequence ?? null,
        chain_entry_hash: seal?.entryHash ?? null,
        rating: task.rating?.stars ?? null,
      },
    }
  }

  return {
    acceptTask: accept,
    verifyTask: accept,

    async requestRevision({ params, body, caller }) {
      const task = await requestRevision(world, caller, params.id, body.note)
      return {
        body: {
          ok: true,
          task_id: task.id,
          status: task.status,
          review_state: task.reviewState,
          revision_count: task.revisionCount,
        },
      }
    },

    async disputeTask({ params, body, caller }) {
      const dispute = { reason: body.reason, stars: body.rating ?? null, comment: body.rating_comment ?? null }
      const task = await disputeTask(world, caller, params.id, dispute)
      return {
        body: {
          ok: true,
          task_id: task.id,
          status: task.status,
          review_state: task.reviewState,
          disputed_at: isoTimeOrNull(task.disputedAt),
          payment_status: task.paymentStatus,
          rating: task.rating?.stars ?? null,
        },
      }
    },

    async cancelTask({ params, body, caller }) {
      const task = await cancelTask(world, caller, params.id, body.reason ?? null)
      return {
        body: {
          ok: true,
          task_id: task.id,
          status: task.status,
          payment_status: task.paymentStatus,
          escrow: escrowView(task),
          refund_tx_hash: task.escrow?.refundTx ?? null,
        },
      }
    },
  }
}
