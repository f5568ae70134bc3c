import type { Transaction } from '../ports/store.ts'
import { tellAll, whomToTell } from './announce-at-once.ts'
import type { Connection } from './connection.ts'
import { addTask } from './tasks.ts'

export const postTaskWrite = (connection: Connection) =>
  ({
    async postTask(task, postedAt, newId) {
      const few = await whomToTell(connection, task)
      await addTask(connection, { ...task, announced: few !== null })
      if (few !== null) await tellAll(connection, few, task, postedAt, newId)
    },
  }) satisfies Partial<Transaction>
