import { type Endpoints, parseUsdc, TASK_STATUSES } from '@guildhall/protocol'
import type { Store } from '../../ports/store.ts'
import type { TaskFilter } from '../../ports/task-store.ts'
import type { Call } from '../handler.ts'
import { taskView } from '../views/task-view.ts'
import type { Source } from './kept-documents.ts'

type Query = Call<Endpoints['listTasks']>['query']
type Body = { readonly ok: true; readonly tasks: readonly ReturnType<typeof taskView>[] }

const LISTED_BY_DEFAULT = TASK_STATUSES.filter((status) => status !== 'cancelled' && status !== 'expired')

/** A page of the board. */
export function publicTaskList(store: Store, query: Query): Source<Body> {
  const filter = filterOf(query)
  return {
    name: `tasks ${JSON.stringify(query)}`,
    fingerprint: () => store.taskListFingerprint(filter),
    read: async () => {
      const { tasks, fingerprint } = await store.listTasks(filter)
      return { fingerprint, body: { ok: true, tasks: tasks.map(taskView) } }
    },
  }
}

const filterOf = (query: Query): TaskFilter => ({
  statuses: query.status === 'all' ? null : query.status === undefined ? LISTED_BY_DEFAULT : [query.status],
  category: query.category ?? null,
  capability: query.capability ?? null,
  creator: query.creator ?? null,
  claimer: query.claimer ?? null,
  minAmount: query.min_usdc === undefined ? null : parseUsdc(query.min_usdc),
  limit: query.limit,
  offset: query.offset,
})
