type Depths = {
  readonly finality: number
  readonly large?: { readonly fromAtomic: bigint; readonly finality: number } | undefined
}

/** How many blocks deep an amount has to be before it may leave again, and before its authorization counts as dead. */
export const finalityOf = ({ finality, large }: Depths, amount: bigint): number =>
  large !== undefined && amount >= large.fromAtomic ? large.finality : finality
