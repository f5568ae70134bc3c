import { formatUsdc, limits, SECOND, transactionUrl } from '@guildhall/protocol'
import type { SettledStats } from '../../actions/feed/settled-stats.ts'
import { isoTime, isoTimeOrNull } from '../../domain/instant.ts'
import type { StageTime } from '../../domain/settled/stage-times.ts'
import type { SettledTask } from '../../ports/settled-store.ts'
import { amountView } from './bounty-view.ts'

const { minSamples } = limits.settled

export function settledStatsView(windowDays: number, { times, paid, paidAtomic, computedAt }: SettledStats) {
  return {
    window_days: windowDays,
    n: times.tasks,
    min_n_for_medians: minSamples,
    median_time_to_paid_s: medianOf(times.paid),
    median_time_to_claim_s: medianOf(times.claim),
    median_delivery_s: medianOf(times.delivery),
    median_review_s: medianOf(times.review),
    tasks_paid_all_time: paid,
    usdc_paid_all_time: formatUsdc(paidAtomic),
    computed_at: isoTime(computedAt),
  }
}

const medianOf = ({ samples, medianMs }: StageTime): number | null =>
  medianMs === null || samples < minSamples ? null : Math.round(medianMs / SECOND)

/** Leaves out the buyer. */
export function settledTaskView(task: SettledTask) {
  return {
    task_id: task.id,
    title: task.title,
    category: task.category,
    bounty: amountView(task.bounty),
    agent: task.deliverer,
    sponsored: task.sponsored,
    created_at: isoTime(task.createdAt),
    claimed_at: isoTimeOrNull(task.claimedAt),
    submitted_at: isoTimeOrNull(task.firstSubmittedAt),
    settled_at: isoTime(task.settledAt),
    time_to_paid_s: secondsBetween(task.createdAt, task.settledAt) ?? 0,
    delivery_s: secondsBetween(task.claimedAt, task.firstSubmittedAt),
    tx_hash: task.txHash,
    explorer_url: transactionUrl(task.bounty.network, task.txHash) ?? '',
  }
}

const secondsBetween = (from: number | null, to: number | null): number | null =>
  from === null || to === null || to < from ? null : Math.round((to - from) / SECOND)
