import type { Reader, Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { type ReceiptRow, receiptTable } from './receipt-row.ts'
import { type SubmissionRow, submissionTable } from './submission-row.ts'
import { columnsOf, insertRowsInto } from './table.ts'

const insertSubmission = insertRowsInto(submissionTable)
const insertReceipt = insertRowsInto(receiptTable)

const receiptsOfTask = `select ${columnsOf(receiptTable, 'r')} from receipts r where r.task_id = $1 order by r.revision desc`

const submissionsOfTask = `
select ${columnsOf(submissionTable, 's')} from submissions s where s.task_id = $1 order by s.created_at desc, s.id desc`

/** Both newest first. */
export const deliveryReads = (connection: Connection) =>
  ({
    receipts: async (taskId) => (await connection.rows<ReceiptRow>(receiptsOfTask, [taskId])).map(receiptTable.read),
    submissions: async (taskId) =>
      (await connection.rows<SubmissionRow>(submissionsOfTask, [taskId])).map(submissionTable.read),
  }) satisfies Partial<Reader>

export const deliveryWrites = (connection: Connection) =>
  ({
    async insertSubmission(submission) {
      await connection.writeRow(insertSubmission, insertSubmission.values(submission))
    },
    async insertReceipt(receipt) {
      await connection.writeRow(insertReceipt, insertReceipt.values(receipt))
    },
  }) satisfies Partial<Transaction>
