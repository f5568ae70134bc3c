import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { toBytes } from './hash-bytes.ts'

export const manageTokenReads = (connection: Connection) =>
  ({
    async taskOfManageToken(hash) {
      const text = 'select task_id from manage_tokens where hash = $1'
      return (await connection.first<{ task_id: string }>(text, [toBytes(hash)]))?.task_id ?? null
    },
  }) satisfies Partial<Reader>

export const manageTokenWrites = (connection: Connection) =>
  ({
    async saveManageToken(taskId, hash) {
      await connection.change('insert into manage_tokens (hash, task_id) values ($1, $2)', [toBytes(hash), taskId])
    },
  }) satisfies Partial<Transaction>
