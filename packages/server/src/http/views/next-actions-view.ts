import { type Instant, isoTimeOrNull } from '../../domain/instant.ts'
import { type NextAction, nextActions, type Party } from '../../domain/task/next-actions.ts'
import { type Task, tasksPath } from '../../domain/task/task.ts'

/** The possible next actions of one of the parties; none for anybody else. */
export const nextActionsView = (task: Task, party: Party | null, now: Instant) =>
  (party === null ? [] : nextActions(task, party, now)).map((action) => ({
    rel: action.rel,
    ...placeOf(task, action),
    who: action.who,
    why: action.why,
    deadline: isoTimeOrNull(action.deadline),
  }))

/** Posters without a key have their own paths. */
function placeOf({ id, creator }: Task, { who, path }: NextAction) {
  if (path === null) return { method: null, href: null }
  return { method: 'POST' as const, href: `${tasksPath(who === 'poster' ? creator.kind : 'agent')}/${id}/${path}` }
}
