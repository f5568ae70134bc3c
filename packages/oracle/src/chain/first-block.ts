import type { Books } from '../books/read-books.ts'

/** A reorg may put a transaction into an earlier block than the one from which we began to look for it. */
const MARGIN_BLOCKS = 1_000n

/** The earliest block that the books know anything of; the chain's beginning if they know nothing. */
export function firstBlock(
  { transfers, movements, watches }: Pick<Books, 'transfers' | 'movements' | 'watches'>,
  network: string,
): bigint {
  const known = [
    ...transfers.filter((row) => row.network === network).map(({ from_block }) => before(from_block)),
    ...movements.filter((row) => row.network === network).map(({ block_number }) => block_number),
    ...watches.filter((row) => row.network === network).flatMap(({ first_block }) => first_block ?? []),
  ]
  const [first = 0n, ...others] = known
  return others.reduce((lowest, block) => (block < lowest ? block : lowest), first)
}

const before = (block: bigint): bigint => (block < MARGIN_BLOCKS ? 0n : block - MARGIN_BLOCKS)
