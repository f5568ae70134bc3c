import { type Instant, isoTimeOrNull } from '../../domain/instant.ts'
import { type NextAction, nextActions, type Party } from '../../domain/task/next-actions.ts'
import type { Task } from '../../domain/task/task.ts'

/** What can happen next, for one of the parties; nothing for anybody else. */
export const nextActionsView = (task: Task, party: Party | null, now: Instant) =>
  (party === null ? [] : nextActions(task, party, now)).map((action) => ({
    rel: action.rel,
    ...placeOf(task, action),
    who: action.who,
    why: action.why,
    deadline: isoTimeOrNull(action.deadline),
  }))

/** Posters without a key of their own have paths of their own; people decide in their console. */
function placeOf({ id, creator }: Task, { who, path }: NextAction) {
  if (path === null || (who === 'poster' && creator.kind === 'owner')) return { method: null, href: null }
  const tasks = who === 'poster' && creator.kind === 'wallet' ? '/v1/x402/tasks' : '/v1/tasks'
  return { method: 'POST' as const, href: `${tasks}/${id}/${path}` }
}
