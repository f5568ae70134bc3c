import { randomBytes } from 'node:crypto'
import { newId } from '@guildhall/protocol'
import type { Pool } from 'pg'
import type { BenchAgent } from './bench-agent.ts'

export type Assignment = { readonly poster: BenchAgent; readonly worker: BenchAgent }
export type AddedTask = Assignment & { readonly id: string }

const insert = `
with added as (
  insert into tasks (
    id, status, creator_kind, creator_id, title, description, category, required_capabilities, output_format,
    expires_in_days, created_at, expires_at, claimed_by, claimed_at, claim_expires_at, receipts_count, revision_count,
    payment_status, announced
  )
  select task.id, $4, 'agent', task.poster, 'Sum up what was said', repeat('Read the minutes and say what was decided. ', 6),
    'content', array['skill-1', 'tool-1'], 'json', 60, now(), now() + interval '60 days', task.worker,
    case when task.worker is not null then now() end,
    case when task.worker is not null then now() + interval '7 days' end, 0, 0, 'none', true
  from unnest($1::text[], $2::text[], $3::text[]) as task (id, poster, worker)
  returning id, status, category, required_capabilities, bounty_amount, created_at
)
insert into task_capabilities (task_id, capability, status, category, bounty_amount, created_at)
select id, capability, status, category, bounty_amount, created_at from added, unnest(required_capabilities) as capability`

/** Adds free tasks to the board: open for their workers to claim, or already claimed by them. */
export async function addTasks(
  database: Pool,
  assignments: readonly Assignment[],
  status: 'open' | 'claimed',
): Promise<readonly AddedTask[]> {
  const tasks = assignments.map((assignment) => ({ ...assignment, id: newId('task', Date.now(), randomBytes(16)) }))
  await database.query(insert, [
    tasks.map(({ id }) => id),
    tasks.map(({ poster }) => poster.id),
    tasks.map(({ worker }) => (status === 'claimed' ? worker.id : null)),
    status,
  ])
  return tasks
}
