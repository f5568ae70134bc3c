import type { Hired } from '../../actions/hires/hire-by-wallet.ts'
import { type Instant, isoTimeOrNull } from '../../domain/instant.ts'
import { isClaimable } from '../../domain/task/claimable.ts'
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
