import type { Reader } from '../ports/store.ts'
import { readWallet, type WalletRow, walletColumns } from './agent-row.ts'
import type { Connection } from './connection.ts'
import { receiptTable } from './receipt-row.ts'
import { submissionTable } from './submission-row.ts'
import { columnsOf, prefixedColumnsOf, readPrefixed } from './table.ts'
import { type TaskRow, taskTable } from './task-row.ts'
import { transferTable } from './transfer-row.ts'

/** Everything about a task in one statement. A bounty paid at acceptance is its payment; otherwise the exit of the deposit is. */
const detail = `
select ${columnsOf(taskTable, 't')}, poster.name as creator_name,
  ${walletColumns.map((column) => `claimer.${column}`).join(', ')},
  ${prefixedColumnsOf(receiptTable, 'receipt')},
  ${prefixedColumnsOf(submissionTable, 'submission')},
  ${prefixedColumnsOf(transferTable, 'deposit')},
  ${prefixedColumnsOf(transferTable, 'payment')}
from tasks t
left join agents poster on poster.id = t.creator_id and t.creator_kind = 'agent'
left join agents claimer on claimer.id = t.claimed_by
left join lateral (
  select * from receipts r where r.task_id = t.id order by r.revision desc limit 1
) receipt on true
left join submissions submission on submission.id = receipt.submission_id
left join transfers deposit on deposit.id = t.escrow_deposit_id
left join transfers payment on payment.id = coalesce(t.payment_id, t.escrow_exit_id)
where t.id = $1`

type DetailRow = TaskRow & WalletRow & { readonly creator_name: string | null }

export const taskDetailRead = (connection: Connection) =>
  ({
    async taskDetail(id) {
      const row = await connection.first<DetailRow>(detail, [id])
      if (row === null) return null
      return {
        task: taskTable.read(row),
        creatorName: row.creator_name,
        receipt: readPrefixed(receiptTable, 'receipt', row),
        submission: readPrefixed(submissionTable, 'submission', row),
        agentWallet: readWallet(row),
        deposit: readPrefixed(transferTable, 'deposit', row),
        payment: readPrefixed(transferTable, 'payment', row),
      }
    },
  }) satisfies Partial<Reader>
