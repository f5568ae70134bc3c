/** The ledger's head as remembered outside of the database, so that a restored old copy is noticed at once. */
export type RecordedHead = { readonly sequence: number; readonly entryHash: string }

export type HeadRecord = {
  read(): RecordedHead | null
  write(head: RecordedHead): void
  /** Signed checkpoints are kept outside of the database too, and with each what was written is made to last. */
  keepCheckpoint(checkpoint: Readonly<Record<string, unknown>>): Promise<void>
}
