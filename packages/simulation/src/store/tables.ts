import type {
  Agent,
  Checkpoint,
  InboxEvent,
  LedgerEntry,
  Movement,
  PaymentEvent,
  PendingEntry,
  Posting,
  Receipt,
  Reputation,
  Submission,
  Task,
  Transfer,
  Watch,
} from '@guildhall/server/parts'

export type MovementRow = Movement & {
  readonly network: string
  readonly transferId: string | null
  readonly booked: boolean
  readonly proven: boolean
  readonly strayId: string | null
  readonly returnId: string | null
  readonly coversLoss: boolean
  readonly seenAt: number
}

export type InboxRow = { readonly agentId: string; readonly lastPosition: number; readonly unread: number }
export type PendingRow = PendingEntry & { readonly position: number }
export type EntryRow = LedgerEntry & { readonly pendingId: string }
export type HeadRow = { readonly sequence: number; readonly entryHash: string; readonly timestamp: number }
export type NodeRow = { readonly level: number; readonly index: number; readonly hash: string }
export type SwitchRow = { readonly paused: boolean; readonly reason: string | null }

/** Rows by their primary keys, in the order of insertion. */
export type Table<Row> = Map<string, Row>

export type Tables = {
  readonly agents: Table<Agent>
  readonly names: Table<string>
  readonly reputations: Table<Reputation>
  readonly tasks: Table<Task>
  readonly manageTokens: Table<string>
  readonly submissions: Table<Submission>
  readonly receipts: Table<Receipt>
  readonly transfers: Table<Transfer>
  readonly postings: Table<Posting>
  readonly paymentEvents: Table<PaymentEvent>
  readonly inboxes: Table<InboxRow>
  readonly events: Table<InboxEvent>
  readonly pending: Table<PendingRow>
  readonly entries: Table<EntryRow>
  readonly nodes: Table<NodeRow>
  readonly checkpoints: Table<Checkpoint>
  readonly head: Table<HeadRow>
  readonly signatures: Table<number>
  readonly walletNonces: Table<number>
  readonly switches: Table<SwitchRow>
  readonly movements: Table<MovementRow>
  readonly watches: Table<Watch>
}

export const createTables = (): Tables => ({
  agents: new Map(),
  names: new Map(),
  reputations: new Map(),
  tasks: new Map(),
  manageTokens: new Map(),
  submissions: new Map(),
  receipts: new Map(),
  transfers: new Map(),
  postings: new Map(),
  paymentEvents: new Map(),
  inboxes: new Map(),
  events: new Map(),
  pending: new Map(),
  entries: new Map(),
  nodes: new Map(),
  checkpoints: new Map(),
  head: new Map([['head', { sequence: 0, entryHash: '0'.repeat(64), timestamp: 0 }]]),
  signatures: new Map(),
  walletNonces: new Map(),
  switches: new Map([['payouts', { paused: false, reason: null }]]),
  movements: new Map(),
  watches: new Map(),
})

/** A backup: rows are never changed in place. */
export function copyOf(tables: Tables): Tables {
  const copy = createTables()
  restore(copy, tables)
  return copy
}

/** Everything written since the copy is gone. */
export function restore(tables: Tables, copy: Tables): void {
  for (const [name, rows] of Object.entries(tables) as [keyof Tables, Table<unknown>][]) {
    rows.clear()
    for (const [key, row] of copy[name]) rows.set(key, row)
  }
}
