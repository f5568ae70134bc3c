/** The ledger's head, recorded outside of the database so that a restored older copy is noticed. */
export type RecordedHead = { readonly sequence: number; readonly entryHash: string }

export type HeadRecord = {
  read(): RecordedHead | null
  write(head: RecordedHead): void
  /** Appends a signed checkpoint to the record, and flushes everything recorded so far to disk. */
  keepCheckpoint(checkpoint: Readonly<Record<string, unknown>>): Promise<void>
}
