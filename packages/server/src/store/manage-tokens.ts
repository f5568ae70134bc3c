import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

export const manageTokenReads = (connection: Connection) =>
  ({
    async taskOfManageToken(hash) {
      const row = await connection.first<{ task_id: string }>('select task_id from manage_tokens where hash = $1', [
        Buffer.from(hash, 'hex'),
      ])
      return row?.task_id ?? null
    },
  }) satisfies Partial<Reader>

export const manageTokenWrites = (connection: Connection) =>
  ({
    async saveManageToken(taskId, hash) {
      await connection.change('insert into manage_tokens (hash, task_id) values ($1, $2)', [
        Buffer.from(hash, 'hex'),
        taskId,
      ])
    },
  }) satisfies Partial<Transaction>
