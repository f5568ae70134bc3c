import type { Transaction } from '@guildhall/server/parts'
import type { Statements } from './statements.ts'
import type { Tables } from './tables.ts'

export const journalWrites = (tables: Tables, { change }: Statements) =>
  ({
    post: (posting) =>
      change('post', [], (own) => {
        if (posting.debit === posting.credit || posting.amount < 0n) throw new Error('This is no posting.')
        own.put(tables.postings, posting.id, posting)
      }),
    addPaymentEvent: (event) => change('addPaymentEvent', [], (own) => own.put(tables.paymentEvents, event.id, event)),
    giveUpDay: () => change('giveUpDay', ['kept days'], () => {}),
  }) satisfies Partial<Transaction>
