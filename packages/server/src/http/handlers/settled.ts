import { formatSettledCursor, parseSettledCursor } from '@guildhall/protocol'
import { createSettledStats } from '../../actions/feed/settled-stats.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { settledStatsView, settledTaskView } from '../views/settled-view.ts'

export function settledHandlers(world: World): Pick<Handlers, 'listSettled'> {
  const statsOf = createSettledStats(world)
  return {
    async listSettled({ query }) {
      const after = query.cursor === undefined ? null : parseSettledCursor(query.cursor)
      const [stats, found] = await Promise.all([
        statsOf(query.window_days),
        world.store.settledTasks(after, query.limit + 1),
      ])
      const tasks = found.slice(0, query.limit)
      const last = found.length > query.limit ? tasks.at(-1) : undefined
      return {
        body: {
          ok: true,
          stats: settledStatsView(query.window_days, stats),
          tasks: tasks.map(settledTaskView),
          next_cursor: last ? formatSettledCursor({ settledAt: last.settledAt, taskId: last.id }) : null,
        },
      }
    },
  }
}
