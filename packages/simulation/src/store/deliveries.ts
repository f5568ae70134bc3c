import type { Reader, Transaction } from '@guildhall/server/parts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

export const deliveryReads = (tables: Tables, ask: Ask) =>
  ({
    receipts: (taskId) =>
      ask('receipts', (view) =>
        [...view.all(tables.receipts)]
          .filter((receipt) => receipt.taskId === taskId)
          .sort((one, other) => other.revision - one.revision),
      ),
  }) satisfies Partial<Reader>

export const deliveryWrites = (tables: Tables, { change }: Statements) =>
  ({
    insertSubmission: (submission) =>
      change('insertSubmission', [], (own) => own.put(tables.submissions, submission.id, submission)),
    insertReceipt: (receipt) =>
      change('insertReceipt', [`receipt ${receipt.taskId} ${receipt.revision}`], (own) => {
        for (const { taskId, revision } of own.all(tables.receipts)) {
          if (taskId === receipt.taskId && revision === receipt.revision)
            throw new Error('This revision has a receipt.')
        }
        own.put(tables.receipts, receipt.id, receipt)
      }),
  }) satisfies Partial<Transaction>
