import { Client, types } from 'pg'
import type {
  AgentRow,
  CapabilityRow,
  CheckpointRow,
  EntryRow,
  EventRow,
  HeadRow,
  InboxRow,
  MovementRow,
  NodeRow,
  PaymentEventRow,
  PendingRow,
  PostingRow,
  ReceiptRow,
  TallyRow,
  TaskRow,
  TransferRow,
  WatchRow,
} from './rows.ts'

const queries = {
  tasks: 'select * from tasks order by id',
  capabilities: 'select * from task_capabilities order by task_id, capability',
  transfers: 'select * from transfers order by id',
  postings: 'select * from postings order by id',
  movements: 'select * from wallet_movements order by network, tx_hash, log_index',
  watches: 'select * from wallet_watches order by network',
  agents: 'select * from agents order by id',
  inboxes: 'select * from inboxes order by agent_id',
  events: 'select * from inbox_events order by agent_id, position',
  paymentEvents: 'select * from payment_events order by position',
  receipts: `
    select s.summary, s.content, s.artifact_urls, s.commit_hash, s.pr_url, s.salt, r.*
    from receipts r join submissions s on s.id = r.submission_id and s.task_id = r.task_id
    order by r.task_id, r.revision`,
  entries: 'select * from ledger_entries order by sequence',
  pending: 'select * from ledger_pending order by position',
  head: 'select * from ledger_head',
  nodes: 'select * from merkle_nodes order by level, index',
  checkpoints: 'select * from checkpoints order by sequence',
  tallies: `
    select topic, item, sum(amount)::bigint as amount
    from (
      select topic, item, amount from tallies
      union all
      select topic, item, change from tally_changes
    ) parts
    group by topic, item`,
  receiptsOnRecord: 'select count(*) as count from receipts',
  submissionsOnRecord: 'select count(*) as count from submissions',
} as const

type Rows = {
  tasks: TaskRow
  capabilities: CapabilityRow
  transfers: TransferRow
  postings: PostingRow
  movements: MovementRow
  watches: WatchRow
  agents: AgentRow
  inboxes: InboxRow
  events: EventRow
  paymentEvents: PaymentEventRow
  receipts: ReceiptRow
  entries: EntryRow
  pending: PendingRow
  head: HeadRow
  nodes: NodeRow
  checkpoints: CheckpointRow
  tallies: TallyRow
  receiptsOnRecord: { readonly count: bigint }
  submissionsOnRecord: { readonly count: bigint }
}

/** The content of the books, as of one moment. */
export type Books = { readonly [Name in keyof Rows]: readonly Rows[Name][] }

/** The books as committed now. */
export async function readBooks(databaseUrl: string): Promise<Books> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    return await readTables(client)
  } finally {
    await client.end()
  }
}

/** The books as an open transaction sees them. */
export async function readTables(client: Pick<Client, 'query'>): Promise<Books> {
  const books: Record<string, readonly unknown[]> = {}
  for (const [name, text] of Object.entries(queries)) {
    books[name] = (await client.query({ text, types: { getTypeParser } })).rows
  }
  return books as Books
}

const INT8 = types.builtins.INT8
const TIMESTAMPTZ = types.builtins.TIMESTAMPTZ
const BYTEA = types.builtins.BYTEA

/** The parsers of this connection only; an invalid timestamp becomes NaN, which equals nothing. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return BigInt
  if (oid === TIMESTAMPTZ) return (text: string) => new Date(text).getTime()
  if (oid === BYTEA) return (text: string) => text.replace(/^\\x/, '')
  return types.getTypeParser(oid, format as 'text')
}
