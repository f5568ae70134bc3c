import type { Reader, Transaction } from '@guildhall/server/parts'
import type { Ask, Statements } from './statements.ts'
import type { Tables } from './tables.ts'

export const ledgerReads = (tables: Tables, ask: Ask) =>
  ({
    ledgerHead: () =>
      ask('ledgerHead', (view) => {
        const head = view.get(tables.head, 'head')
        return head === null || head.sequence === 0 ? null : head
      }),
    ledgerEntry: (sequence) => ask('ledgerEntry', (view) => view.get(tables.entries, String(sequence))),
    seal: (pendingId) =>
      ask('seal', (view) => {
        for (const { pendingId: id, sequence, entryHash } of view.all(tables.entries)) {
          if (id === pendingId) return { sequence, entryHash }
        }
        return null
      }),
    hasPending: () => ask('hasPending', (view) => !view.all(tables.pending)[Symbol.iterator]().next().done),
    isCheckpointDue: (issuedBy) =>
      ask('isCheckpointDue', (view) => {
        const { sequence = 0 } = view.get(tables.head, 'head') ?? {}
        const last = [...view.all(tables.checkpoints)].at(-1)
        return last !== undefined && sequence > last.sequence && last.issuedAt <= issuedBy
      }),
    merkleNodes: (wanted) =>
      ask('merkleNodes', (view) =>
        wanted.map(({ level, index }) => view.get(tables.nodes, `${level}/${index}`)?.hash ?? ''),
      ),
  }) satisfies Partial<Reader>

export const ledgerWrites = (tables: Tables, { change, nextNumber }: Statements) =>
  ({
    appendPending: (entry) =>
      change('appendPending', [`pending ${entry.id}`], (own) => {
        if (own.get(tables.pending, entry.id) !== null) throw new Error(`${entry.id} is pending already.`)
        own.put(tables.pending, entry.id, { ...entry, position: nextNumber() })
      }),
  }) satisfies Partial<Transaction>
