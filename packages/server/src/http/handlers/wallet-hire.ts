import { type Endpoints, endpoints, ONE_USDC, parseUsdc } from '@guildhall/protocol'
import { type Hire, hireByWallet, termsOfHire } from '../../actions/hires/hire-by-wallet.ts'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import { refuse, refuseField } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import type { Call, Handlers } from '../handler.ts'
import { hireRequestOf } from '../task-request.ts'
import { receiptView, submissionView } from '../views/delivery-view.ts'
import { hiredView, hireInfoView } from '../views/hire-view.ts'
import { nextActionsView } from '../views/next-actions-view.ts'
import { paymentResponseHeader, taskPaymentView } from '../views/payment-view.ts'
import { taskView } from '../views/task-view.ts'
import { decisionAnswers } from './decision-answers.ts'
import { receiptsOf } from './deliveries.ts'
import { taskDetail } from './task-detail.ts'

type HireHandlers = Pick<
  Handlers,
  | 'hireInfo'
  | 'hire'
  | 'hireUsd1'
  | 'hireUsd5'
  | 'hireUsd20'
  | 'getHire'
  | 'getHireSubmission'
  | 'acceptHire'
  | 'reviseHire'
  | 'disputeHire'
  | 'cancelHire'
>

type FixedCall = Call<Endpoints['hireUsd1'] | Endpoints['hireUsd5'] | Endpoints['hireUsd20']>

export function walletHireHandlers(world: World): HireHandlers {
  const { rules } = world
  const now = () => world.clock.now()
  const decide = decisionAnswers(world)

  const answer = async (hire: Hire, payment: string | null, held: HeldKey | null) => {
    if (payment === null) return { refused: termsOfHire(world, hire) }
    const hired = await hireByWallet(world, hire, payment, held)
    return { headers: paymentResponseHeader(hired.deposit), body: hiredView(hired, rules.baseUrl, now()) }
  }

  const fixed =
    (usdc: number) =>
    ({ body, payment, held }: FixedCall) => {
      const path = `${endpoints.hire.path}/usd-${usdc}`
      const amount = BigInt(usdc) * ONE_USDC
      return answer({ path, amount, network: body.network ?? null, request: hireRequestOf(body) }, payment, held)
    }

  return {
    hireInfo: async () => ({ body: hireInfoView(world) }),

    hire({ body, payment, held }) {
      const amount = amountOf(body?.bounty_usdc, rules.minBountyAtomic)
      const request = body === undefined ? null : hireRequestOf(body)
      return answer({ path: endpoints.hire.path, amount, network: body?.network ?? null, request }, payment, held)
    },
    hireUsd1: fixed(1),
    hireUsd5: fixed(5),
    hireUsd20: fixed(20),

    async getHire({ params }) {
      const found = await taskDetail(world, params.id)
      return {
        body: {
          ok: true,
          task: taskView(found),
          submission: found.submission === null ? null : submissionView(found.submission),
          delivery_receipt: found.receipt === null ? null : receiptView(found.receipt, found.submission),
          receipts_count: found.task.receiptsCount,
          payment: taskPaymentView(found),
          next_actions: nextActionsView(found.task, 'poster', now()),
        },
      }
    },

    async getHireSubmission({ params }) {
      const { task, submission } = await taskDetail(world, params.id)
      if (submission === null) refuse('not_found', { resource: 'submission' }, 'Nothing has been delivered yet.')
      return {
        body: {
          ok: true,
          submission: submissionView(submission),
          receipts: await receiptsOf(world, params.id, 'everybody'),
          next_actions: nextActionsView(task, 'poster', now()),
        },
      }
    },

    acceptHire: ({ params, body, caller, context }) =>
      decide.accept(caller.poster, params.id, body, context.header('payment-signature')),
    reviseHire: ({ params, body, caller }) => decide.revise(caller.poster, params.id, body),
    disputeHire: ({ params, body, caller }) => decide.dispute(caller.poster, params.id, body),
    cancelHire: ({ params, body, caller }) => decide.cancel(caller.poster, params.id, body),
  }
}

function amountOf(usdc: number | string | undefined, fallback: bigint): bigint {
  if (usdc === undefined) return fallback
  const message = 'bounty_usdc is an amount of USDC with at most 6 decimals, such as 2.5.'
  return parseUsdc(usdc) ?? refuseField('bounty_usdc', message)
}
