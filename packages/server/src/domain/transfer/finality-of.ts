type Depths = {
  readonly finality: number
  readonly large?: { readonly fromAtomic: bigint; readonly finality: number } | undefined
}

/** How many blocks deep an amount must be before it may be paid out again, and before its authorization counts as dead. */
export const finalityOf = ({ finality, large }: Depths, amount: bigint): number =>
  large !== undefined && amount >= large.fromAtomic ? large.finality : finality
