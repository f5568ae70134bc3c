/** Books and chain at one block; sums in flight are signed, positive for money in. */
export type Position = {
  /** The journal's balance of the wallet. */
  readonly journal: bigint
  /** What of it is the house's; below zero, it owes more than the wallet holds. */
  readonly house: bigint
  /** On chain, for a transfer whose outcome is not booked yet. */
  readonly notBooked: bigint
  /** In the journal, but in a later block, or in one that may still be reorged away. */
  readonly notProven: bigint
  /** Expected incoming money without an outcome yet: some may have arrived, in a log that a node left out. */
  readonly underWay: bigint
}

/** What the chain holds beyond what can be explained; negative when money is missing. */
export const differenceOf = (
  held: bigint,
  { journal, notBooked, notProven }: Pick<Position, 'journal' | 'notBooked' | 'notProven'>,
): bigint => held - notBooked - (journal - notProven)
