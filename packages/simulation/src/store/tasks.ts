import { isToBeAnnounced, type Reader, type Task, type Transaction } from '@guildhall/server/parts'
import { earliest } from './earliest.ts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

const TIMERS = {
  'claim lapses': { status: 'claimed', column: 'claimExpiresAt' },
  unreviewed: { status: 'submitted', column: 'autoReleaseAt' },
  expires: { status: 'open', column: 'expiresAt' },
} as const

export const taskReads = (tables: Tables, ask: Ask) =>
  ({
    task: (id) => ask('task', (view) => view.get(tables.tasks, id)),
    taskOfManageToken: (hash) => ask('taskOfManageToken', (view) => view.get(tables.manageTokens, hash)),
    dueTimers: (timer, now, limit) =>
      ask('dueTimers', (view) => {
        const { status, column } = TIMERS[timer]
        const due: { id: string; at: number }[] = []
        for (const task of view.all(tables.tasks)) {
          const time = task[column]
          if (task.status !== status || time === null) continue
          const at = Math.max(time, task.timerHeldUntil ?? 0)
          if (at <= now) due.push({ id: task.id, at })
        }
        return earliest(due, limit)
      }),
    unannouncedTasks: (limit) =>
      ask('unannouncedTasks', (view) => {
        const found: string[] = []
        for (const task of view.all(tables.tasks)) if (isToBeAnnounced(task)) found.push(task.id)
        return found.slice(0, limit)
      }),
  }) satisfies Partial<Reader>

export const taskWrites = (tables: Tables, { change }: Statements) =>
  ({
    insertTask: (task) => change('insertTask', [`task ${task.id}`], (own) => own.put(tables.tasks, task.id, task)),
    // Agents are told by the jobs here, unlike after a deposit, because things can go wrong in between.
    postTask: (task) => change('postTask', [`task ${task.id}`], (own) => own.put(tables.tasks, task.id, task)),
    lockTask: (id) => change('lockTask', [`task ${id}`], (own) => own.get(tables.tasks, id)),
    saveTask: (task) =>
      change('saveTask', [`task ${task.id}`], (own) => {
        if (own.get(tables.tasks, task.id) === null) throw new Error(`There is no task ${task.id} to save.`)
        checkTask(task)
        own.put(tables.tasks, task.id, task)
      }),
    saveManageToken: (taskId, hash) =>
      change('saveManageToken', [`token ${hash}`], (own) => own.put(tables.manageTokens, hash, taskId)),
  }) satisfies Partial<Transaction>

/** The table's constraints that a faulty move could violate. */
function checkTask({ id, status, claimedBy }: Task): void {
  if (['claimed', 'submitted', 'verified'].includes(status) && claimedBy === null) {
    throw new Error(`Task ${id} is ${status} and nobody has claimed it.`)
  }
}
