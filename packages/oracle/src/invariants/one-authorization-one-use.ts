import type { TransferRow } from '../books/rows.ts'
import type { Invariant } from '../invariant.ts'

const MONEY_IN = new Set(['deposit', 'bounty'])

/** I8: one authorization pays for one thing, and a task has one live payment at a time. */
export const oneAuthorizationOneUse: Invariant = {
  name: 'I8 one authorization, one use',
  *broken({ books }) {
    const key = ({ network, asset, payer, nonce }: TransferRow) =>
      [network, asset, payer, nonce].join(' ').toLowerCase()
    for (const [authorization, several] of Map.groupBy(books.transfers, key)) {
      if (several.length > 1) yield `authorization ${authorization} is used ${several.length} times`
    }
    const living = books.transfers.filter(({ purpose, state }) => MONEY_IN.has(purpose) && state !== 'dead')
    const tasks = new Map(books.tasks.map((task) => [task.id, task]))
    for (const [taskId, several] of Map.groupBy(living, ({ task_id }) => task_id)) {
      const task = tasks.get(taskId ?? '')
      if (several.length > 1) yield `task ${taskId} has ${several.length} living payments`
      if (!task) yield `a payment is for task ${taskId}, which does not exist`
      else if (several.some(({ id }) => id !== task.escrow_deposit_id && id !== task.payment_id)) {
        yield `task ${taskId} does not know a payment that was made for it`
      }
    }
    for (const [depositId, several] of Map.groupBy(books.tasks, ({ escrow_deposit_id }) => escrow_deposit_id)) {
      if (depositId !== null && several.length > 1) yield `deposit ${depositId} funds ${several.length} tasks`
    }
  },
}
