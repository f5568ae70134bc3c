import { isoTime } from '../domain/instant.ts'
import type { PaymentEvent } from '../domain/payment/payment-event.ts'
import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'

const ofTask = 'select id, task_id, type, details, created_at from payment_events where task_id = $1 order by position'
const insert = 'insert into payment_events (id, task_id, type, details, created_at) values ($1, $2, $3, $4, $5)'

type PaymentEventRow = {
  readonly id: string
  readonly task_id: string
  readonly type: string
  readonly details: PaymentEvent['details']
  readonly created_at: number
}

export const paymentEventReads = (connection: Connection) =>
  ({
    /** Oldest first. */
    paymentEvents: async (taskId) =>
      (await connection.rows<PaymentEventRow>(ofTask, [taskId])).map((row) => ({
        id: row.id,
        taskId: row.task_id,
        type: row.type,
        details: row.details,
        createdAt: row.created_at,
      })),
  }) satisfies Partial<Reader>

export const paymentEventWrites = (connection: Connection) =>
  ({
    async addPaymentEvent({ id, taskId, type, details, createdAt }) {
      await connection.write(insert, [id, taskId, type, JSON.stringify(details), isoTime(createdAt)])
    },
  }) satisfies Partial<Transaction>
