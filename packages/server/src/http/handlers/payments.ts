import { paymentTerms } from '../../actions/money/payment-terms.ts'
import { agentAsPoster } from '../../actions/poster.ts'
import { fundTask } from '../../actions/tasks/fund-task.ts'
import { tasksPath } from '../../domain/task/task.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { paymentEventView, paymentResponseHeader, taskPaymentView } from '../views/payment-view.ts'
import { fundedView } from '../views/posted-view.ts'
import { taskDetail } from './task-detail.ts'

export function paymentHandlers(world: World): Pick<Handlers, 'fundTask' | 'getTaskPayment'> {
  return {
    async fundTask({ params, caller, payment }) {
      const { task, deposit } = await fundTask(world, agentAsPoster(caller), params.id, payment)
      return { headers: paymentResponseHeader(deposit), body: fundedView(task, world.clock.now()) }
    },

    async getTaskPayment({ params }) {
      const found = await taskDetail(world, params.id)
      const terms = paymentTerms(world, found)
      const events = await world.store.paymentEvents(params.id)
      const { kind } = found.task.creator
      const place = `${tasksPath(kind)}/${params.id}`
      return {
        body: {
          ok: true,
          payment: taskPaymentView(found),
          requirements: terms.requirements,
          requirements_unavailable_reason: terms.unavailable,
          payment_required: terms.required,
          accept_endpoint: `${place}/accept`,
          ...(found.task.escrow && kind !== 'wallet' ? { fund_endpoint: `${place}/fund` } : {}),
          payment_header: 'PAYMENT-SIGNATURE',
          events: events.map(paymentEventView),
        },
      }
    },
  }
}
