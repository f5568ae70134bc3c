import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Balance } from '../../ports/chain.ts'
import type { Unreachable } from '../../ports/unreachable.ts'
import type { World } from '../../ports/world.ts'

/** What the escrow wallet holds on the network of this payout; null without a wallet. */
export const heldInEscrow = async (
  { chain, escrow }: World,
  { authorization }: Transfer,
): Promise<Balance | Unreachable | null> => escrow && chain.balanceOf(authorization.network, escrow.address)
