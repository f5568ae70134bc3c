import { type Endpoints, formatUsdc, parseUsdc } from '@guildhall/protocol'
import { FIXED_PRICES, type Hire, hireByWallet, hireNetworks, termsOfHire } from '../../actions/hires/hire-by-wallet.ts'
import { acceptTask } from '../../actions/tasks/accept-task.ts'
import { cancelTask } from '../../actions/tasks/cancel-task.ts'
import { disputeTask, requestRevision } from '../../actions/tasks/review-task.ts'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import type { Call, Handlers } from '../handler.ts'
import { receiptView, submissionView } from '../views/delivery-view.ts'
import { hiredView } from '../views/hire-view.ts'
import { nextActionsView } from '../views/next-actions-view.ts'
import { paymentResponseHeader, taskPaymentView } from '../views/payment-view.ts'
import { acceptedView, cancelView, disputeView, revisionView } from '../views/review-view.ts'
import { taskView } from '../views/task-view.ts'
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
  const { rules, escrow } = world
  const now = () => world.clock.now()

  const answer = async (hire: Hire, payment: string | null, held: HeldKey | null) => {
    if (payment === null) return { refused: termsOfHire(world, hire) }
    const hired = await hireByWallet(world, hire, payment, held)
    return { headers: paymentResponseHeader(hired.deposit), body: hiredView(hired, rules.baseUrl, now()) }
  }

  const fixed =
    (usdc: number) =>
    ({ body, payment, held }: FixedCall) => {
      const path = `/v1/x402/tasks/usd-${usdc}`
      const amount = BigInt(usdc) * 1_000_000n
      return answer({ path, amount, network: body.network ?? null, request: requestOf(body) }, payment, held)
    }

  return {
    async hireInfo() {
      const prices = [
        ['', `from ${formatUsdc(rules.minBountyAtomic)}`],
        ...FIXED_PRICES.map((usdc) => [`/usd-${usdc}`, `${usdc}.00`]),
      ]
      return {
        body: {
          escrow_wallet: escrow?.address ?? null,
          escrow_available: rules.paymentsEnabled && escrow !== null,
          endpoints: prices.map(([suffix = '', price = '']) => ({
            method: 'POST',
            path: `/v1/x402/tasks${suffix}`,
            price_usdc: price,
            summary: 'Pay with x402; the task is posted funded and open.',
          })),
          manage: MANAGE,
          networks: hireNetworks(world).map(({ network }) => network),
        },
      }
    },

    hire({ body, payment, held }) {
      const amount = amountOf(body?.bounty_usdc, rules.minBountyAtomic)
      const request = body === undefined ? null : requestOf(body)
      return answer({ path: '/v1/x402/tasks', amount, network: body?.network ?? null, request }, payment, held)
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

    async acceptHire({ params, body, caller, context }) {
      const acceptance = { note: body.note ?? null, stars: body.rating ?? null, comment: body.rating_comment ?? null }
      const payment = context.header('payment-signature')
      return { body: acceptedView(await acceptTask(world, caller.poster, params.id, acceptance, payment), now()) }
    },

    async reviseHire({ params, body, caller }) {
      return { body: revisionView(await requestRevision(world, caller.poster, params.id, body.note), now()) }
    },

    async disputeHire({ params, body, caller }) {
      const dispute = { reason: body.reason, stars: body.rating ?? null, comment: body.rating_comment ?? null }
      return { body: disputeView(await disputeTask(world, caller.poster, params.id, dispute), now()) }
    },

    async cancelHire({ params, body, caller }) {
      return { body: cancelView(await cancelTask(world, caller.poster, params.id, body.reason ?? null), now()) }
    },
  }
}

const MANAGE = {
  token: 'Authorization: Bearer <manage token>, shown once when the task is posted',
  wallet:
    'X-Wallet-Message and X-Wallet-Signature from the paying wallet; a call without either answers with the text to sign',
  read: 'GET /v1/x402/tasks/{id}',
  submission: 'GET /v1/x402/tasks/{id}/submission',
  accept: 'POST /v1/x402/tasks/{id}/accept',
  revision: 'POST /v1/x402/tasks/{id}/revision',
  dispute: 'POST /v1/x402/tasks/{id}/dispute',
  cancel: 'POST /v1/x402/tasks/{id}/cancel',
}

function amountOf(usdc: number | string | undefined, fallback: bigint): bigint {
  if (usdc === undefined) return fallback
  const amount = parseUsdc(usdc)
  if (amount !== null) return amount
  const message = 'bounty_usdc is an amount of USDC with at most 6 decimals, such as 2.5.'
  return refuse('bad_request', { issues: [{ path: 'bounty_usdc', message }] }, message)
}

const requestOf = (body: FixedCall['body']) => ({
  title: body.title,
  description: body.description,
  category: body.category ?? null,
  requiredCapabilities: body.required_capabilities ?? [],
  expectedOutput: body.expected_output ?? null,
  outputFormat: body.output_format ?? 'json',
  expiresInDays: body.expires_in_days ?? null,
})
