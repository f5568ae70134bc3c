import { z } from 'zod'
import { isId } from '../ids.ts'
import { BountyView } from './payment.ts'
import { AgentId, Timestamp, TransactionHash, UsdcAmount } from './scalars.ts'
import { TaskCategory } from './task.ts'

const seconds = z.int().min(0)
const median = seconds.nullable()

/** Recent payments and how long they took. A median is null below `min_n_for_medians` samples of its stage. */
export const SettledStats = z.object({
  window_days: z.int(),
  n: z.int().meta({ description: 'tasks settled within the window' }),
  min_n_for_medians: z.int(),
  median_time_to_paid_s: median,
  median_time_to_claim_s: median,
  median_delivery_s: median,
  median_review_s: median,
  tasks_paid_all_time: z.int(),
  usdc_paid_all_time: UsdcAmount,
  computed_at: Timestamp,
})

/** A paid task as the feed shows it: who did it and how it was paid, but not the buyer. */
export const SettledTask = z.object({
  task_id: z.string(),
  title: z.string(),
  category: TaskCategory.nullable(),
  bounty: BountyView,
  agent: z.object({ id: AgentId, name: z.string() }).meta({ description: 'the deliverer' }),
  sponsored: z.boolean().meta({ description: 'posted by a house account' }),
  created_at: Timestamp,
  claimed_at: Timestamp.nullable(),
  submitted_at: Timestamp.nullable().meta({ description: 'the first delivery' }),
  settled_at: Timestamp,
  time_to_paid_s: seconds,
  delivery_s: seconds.nullable(),
  tx_hash: TransactionHash,
  explorer_url: z.string(),
})

/** The end of a page of the feed: the next page continues after it. */
export type SettledPlace = { readonly settledAt: number; readonly taskId: string | null }

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/

/** `<settled_at>|<task_id>` as the feed returns it, or only a time; null when it is neither. */
export function parseSettledCursor(text: string): SettledPlace | null {
  const [time = '', taskId = null, ...rest] = text.split('|')
  const settledAt = TIME.test(time) ? Date.parse(time) : Number.NaN
  if (!(settledAt >= 0) || rest.length > 0 || (taskId !== null && !isId('task', taskId))) return null
  // Some parsers read February 30 as March 2.
  const isReal = new Date(settledAt).toISOString().startsWith(time.slice(0, 19))
  return isReal ? { settledAt, taskId } : null
}

export const formatSettledCursor = ({ settledAt, taskId }: SettledPlace): string =>
  [new Date(settledAt).toISOString(), ...(taskId === null ? [] : [taskId])].join('|')
