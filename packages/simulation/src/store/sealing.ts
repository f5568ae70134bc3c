import type { SealingTransaction } from '@guildhall/server/parts'
import type { Overlay } from './overlay.ts'
import type { Change } from './statements.ts'
import type { Tables } from './tables.ts'

export function sealingOf(tables: Tables, change: Change): SealingTransaction {
  const { head, pending, entries, nodes, checkpoints } = tables
  const lostHead = (): never => {
    throw new Error('The ledger has lost its head row.')
  }
  return {
    lockHead: () => change('lockHead', ['ledger head'], (own) => own.get(head, 'head') ?? lostHead()),
    pending: (limit) =>
      change('pending', [], (own) =>
        [...own.all(pending)].sort((one, other) => one.position - other.position).slice(0, limit),
      ),
    append: (sealed, added) =>
      change('append', [], (own) => {
        const last = sealed.at(-1)?.entry
        const first = sealed[0]?.entry
        const before = own.get(head, 'head') ?? lostHead()
        const taken = sealed.filter(({ pending: { id } }) => own.get(pending, id) !== null).length
        const follows = first?.previousHash === before.entryHash && last?.sequence === before.sequence + taken
        if (!follows || last === undefined) {
          throw new Error('These entries do not follow the head, or one of them was sealed before.')
        }
        enter(tables, own, sealed, added)
      }),
    ledgerEntry: (sequence) => change('ledgerEntry', [], (own) => own.get(entries, String(sequence))),
    merkleNodes: (wanted) =>
      change('merkleNodes', [], (own) =>
        wanted.map(({ level, index }) => own.get(nodes, `${level}/${index}`)?.hash ?? ''),
      ),
    addCheckpoint: (checkpoint) =>
      change('addCheckpoint', [], (own) => own.put(checkpoints, String(checkpoint.sequence), checkpoint)),
    lastCheckpoint: () => change('lastCheckpoint', [], (own) => [...own.all(checkpoints)].at(-1) ?? null),
  }
}

type Append = Parameters<SealingTransaction['append']>

/** Pending entries become entries, their receipts are stamped, and the head moves. */
export function enter(tables: Tables, own: Overlay, sealed: Append[0], added: Append[1]): void {
  const { head, pending, entries, nodes, receipts } = tables
  for (const { pending: waiting, entry } of sealed) {
    const { sequence, entryHash, timestamp } = entry
    own.remove(pending, waiting.id)
    own.put(entries, String(sequence), { ...entry, pendingId: waiting.id })
    const receipt = waiting.receiptId === null ? null : own.get(receipts, waiting.receiptId)
    if (receipt) own.put(receipts, receipt.id, { ...receipt, chainSequence: sequence, chainEntryHash: entryHash })
    own.put(head, 'head', { sequence, entryHash, timestamp })
  }
  for (const node of added) own.put(nodes, `${node.level}/${node.index}`, node)
}
