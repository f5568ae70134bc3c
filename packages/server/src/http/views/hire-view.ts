import { formatUsdc, limits } from '@guildhall/protocol'
import { type Hired, hireNetworks } from '../../actions/hires/hire-by-wallet.ts'
import { type Instant, isoTimeOrNull } from '../../domain/instant.ts'
import { isClaimable } from '../../domain/task/claimable.ts'
import { tasksPath } from '../../domain/task/task.ts'
import type { World } from '../../ports/world.ts'
import { bountyView } from './bounty-view.ts'
import { nextActionsView } from './next-actions-view.ts'
import { escrowView } from './payment-view.ts'

const NOTE = 'Keep this token: it is shown once. Without it the paying wallet can sign each action instead.'

export function hiredView({ task, token }: Hired, baseUrl: string, now: Instant) {
  const url = `${baseUrl}/v1/x402/tasks/${task.id}`
  return {
    ok: true as const,
    task_id: task.id,
    status: task.status,
    payment_status: task.paymentStatus,
    bounty: bountyView(task.bounty),
    escrow: escrowView(task),
    claimable: isClaimable(task),
    deposit_tx_hash: task.escrow?.depositTx ?? null,
    expires_at: isoTimeOrNull(task.expiresAt),
    poster: { kind: 'wallet' as const, wallet: task.creator.id },
    manage: {
      token,
      note: NOTE,
      task_url: url,
      submission_url: `${url}/submission`,
      actions: {
        accept: `${url}/accept`,
        revision: `${url}/revision`,
        dispute: `${url}/dispute`,
        cancel: `${url}/cancel`,
      },
    },
    public_url: `${baseUrl}/v1/tasks/${task.id}`,
    next_actions: nextActionsView(task, 'poster', now),
  }
}

/** How to hire by wallet, and at which prices, for whoever has not paid yet. */
export function hireInfoView(world: World) {
  const { rules, escrow } = world
  const prices = [
    ['', `from ${formatUsdc(rules.minBountyAtomic)}`],
    ...limits.hire.fixedUsdc.map((usdc) => [`/usd-${usdc}`, `${usdc}.00`]),
  ]
  return {
    escrow_wallet: escrow?.address ?? null,
    escrow_available: rules.paymentsEnabled && escrow !== null,
    endpoints: prices.map(([suffix = '', price = '']) => ({
      method: 'POST',
      path: `${tasksPath('wallet')}${suffix}`,
      price_usdc: price,
      summary: 'Pay with x402; the task is posted funded and open.',
    })),
    manage: MANAGE,
    networks: escrow === null ? [] : hireNetworks(world).map(({ network }) => network),
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
