/** Where the books and the chain stand at one block; in-flight sums are signed, money in above zero. */
export type Position = {
  /** The journal's account of what the wallet holds. */
  readonly journal: bigint
  /** On chain, carried out for a transfer whose outcome is not written down yet. */
  readonly notBooked: bigint
  /** In the journal, but in a block after this one, or in one that may yet be taken back. */
  readonly notProven: bigint
  /** Money in that was asked for and is not concluded: some of it may be there, with a log that a node has left out. */
  readonly underWay: bigint
}

/** What the chain holds beyond everything that can be explained; below zero money is missing. */
export const differenceOf = (held: bigint, { journal, notBooked, notProven }: Position): bigint =>
  held - notBooked - (journal - notProven)
