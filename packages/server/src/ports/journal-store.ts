import type { Account, Posting } from '../domain/journal/posting.ts'

export type Balance = { readonly network: string; readonly account: Account; readonly atomic: bigint }

export type JournalReads = {
  balances(): Promise<readonly Balance[]>
}

export type JournalWrites = {
  post(posting: Posting): Promise<void>
}
