import type { Reader, Store } from '../ports/store.ts'
import type { Fingerprinted, TaskDetail } from '../ports/task-store.ts'
import { readWallet, type WalletRow, walletColumns } from './agent-row.ts'
import { anyOf, askedTogether } from './asked-together.ts'
import type { Connection } from './connection.ts'
import { readOne } from './read-one.ts'
import { receiptTable } from './receipt-row.ts'
import { submissionTable } from './submission-row.ts'
import { columnsOf, prefixedColumnsOf, readPrefixed } from './table.ts'
import type { TaskRow } from './task-row.ts'
import { taskTable } from './task-table.ts'
import { transferTable } from './transfer-row.ts'

const paymentId = 'coalesce(t.payment_id, t.escrow_exit_id)'

type Versions = Readonly<Record<'receipt' | 'deposit' | 'payment' | 'creatorName', string>>

/**
 * xmin of every row shown publicly, plus the server's start time, since xmin restarts with another server. Submissions never
 * change.
 */
const fingerprintOf = ({ receipt, deposit, payment, creatorName }: Versions): string =>
  `concat(pg_postmaster_start_time(), ' ', t.xmin, ' ', ${receipt}, ' ', ${deposit}, ' ', ${payment}, ' ', ${creatorName})`

const looked = fingerprintOf({
  receipt: '(select r.xmin from receipts r where r.task_id = t.id order by r.revision desc limit 1)',
  deposit: '(select d.xmin from transfers d where d.id = t.escrow_deposit_id)',
  payment: `(select p.xmin from transfers p where p.id = ${paymentId})`,
  creatorName: `(select a.name from agents a where a.id = t.creator_id and t.creator_kind = 'agent')`,
})
const joined = fingerprintOf({
  receipt: 'receipt.version',
  deposit: 'deposit.xmin',
  payment: 'payment.xmin',
  creatorName: 'poster.name',
})

const fingerprints = `select t.id, ${looked} as fingerprint from tasks t where t.id = ${anyOf('$1')}`

type Wanted = { readonly ids: string; readonly more?: string; readonly submissionIf?: string }

/** Everything about a task in one statement. A bounty paid at acceptance is its payment; otherwise the exit of the deposit is. */
const detailOf = ({ ids, more = '', submissionIf = 'true' }: Wanted): string => `
select ${columnsOf(taskTable, 't')}, poster.name as creator_name${more},
  ${walletColumns.map((column) => `claimer.${column}`).join(', ')},
  ${prefixedColumnsOf(receiptTable, 'receipt')},
  ${prefixedColumnsOf(submissionTable, 'submission')},
  ${prefixedColumnsOf(transferTable, 'deposit')},
  ${prefixedColumnsOf(transferTable, 'payment')}
from tasks t
left join agents poster on poster.id = t.creator_id and t.creator_kind = 'agent'
left join agents claimer on claimer.id = t.claimed_by
left join lateral (
  select r.*, r.xmin as version from receipts r where r.task_id = t.id order by r.revision desc limit 1
) receipt on true
left join submissions submission on submission.id = receipt.submission_id and ${submissionIf}
left join transfers deposit on deposit.id = t.escrow_deposit_id
left join transfers payment on payment.id = ${paymentId}
where t.id = ${ids}`

const detail = detailOf({ ids: '$1' })
/** What is not published is not even read. */
const publicTasks = detailOf({
  ids: anyOf('$1'),
  more: `, ${joined} as fingerprint`,
  submissionIf: 't.published_at is not null',
})

type DetailRow = TaskRow & WalletRow & { readonly creator_name: string | null }

export const taskDetailRead = (connection: Connection) =>
  ({
    taskDetail: (id) => readOne(connection, readDetail, detail, [id]),
  }) satisfies Partial<Reader>

/** The most frequent reads, so concurrent ones share a statement. */
export const publicTaskReads = (connection: Connection): Pick<Store, 'publicTask' | 'taskFingerprint'> => ({
  publicTask: askedTogether(async (ids) => {
    const rows = await connection.rows<DetailRow & Fingerprinted>(publicTasks, [ids])
    return new Map(rows.map((row) => [row.id, { ...readDetail(row), fingerprint: row.fingerprint }]))
  }),

  taskFingerprint: askedTogether(async (ids) => {
    const rows = await connection.rows<Fingerprinted & { readonly id: string }>(fingerprints, [ids])
    return new Map(rows.map((row) => [row.id, row.fingerprint]))
  }),
})

const readDetail = (row: DetailRow): TaskDetail => ({
  task: taskTable.read(row),
  creatorName: row.creator_name,
  receipt: readPrefixed(receiptTable, 'receipt', row),
  submission: readPrefixed(submissionTable, 'submission', row),
  agentWallet: readWallet(row),
  deposit: readPrefixed(transferTable, 'deposit', row),
  payment: readPrefixed(transferTable, 'payment', row),
})
