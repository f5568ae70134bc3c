import type { ChainView } from '@guildhall/oracle'
import { isPayout, type Transfer } from '@guildhall/server/parts'
import { type Day, ESCROW_WALLET } from '../day.ts'

/**
 * Whatever the books say by now, the chain shows nothing that was paid out beyond what came in for it, and the books write nothing off
 * that has left. After a deep reorg that cannot be said: what came in may be gone.
 */
export function* paidTwice(
  { isDeep, isRestored, ever, database: { tables } }: Day,
  chains: readonly ChainView[],
): Iterable<string> {
  if (isDeep) return
  for (const { network, movements, spendings } of chains) {
    const known = new Map(
      spendings.flatMap(({ authorizer, nonce, movement }) => {
        const found = movement && ever.get(`${network} ${authorizer} ${nonce}`)
        return found ? [[placeOf(movement), found] as const] : []
      }),
    )
    const cameInAs = (place: string) => accountOf(known.get(place)?.transfer) ?? place
    const balances = new Map<string, bigint>()
    for (const movement of movements) {
      const { transfer, paysOut } = known.get(placeOf(movement)) ?? {}
      const isIncoming = movement.to === ESCROW_WALLET
      const whose = isIncoming ? cameInAs(placeOf(movement)) : (accountOf(transfer) ?? cameInAs(paysOut ?? ''))
      balances.set(whose, (balances.get(whose) ?? 0n) + (isIncoming ? movement.value : -movement.value))
    }
    for (const [whose, balance] of balances)
      if (balance < 0n) yield `${network}: ${-balance} more was paid out than had come in for ${whose}`
    const spentAt = new Map(
      spendings.map(({ authorizer, nonce, blockNumber }) => [`${authorizer} ${nonce}`, blockNumber]),
    )
    for (const { id, purpose, state, authorization, fromBlock } of tables.transfers.values()) {
      if (!isPayout(purpose) || state !== 'dead' || authorization.network !== network) continue
      const block = spentAt.get(`${authorization.from} ${authorization.nonce}`)
      // Before an older copy was restored, the same nonce may have paid another withdrawal.
      const isEarlier = isRestored && block !== undefined && block < fromBlock
      if (block !== undefined && !isEarlier) yield `the ${purpose} ${id} is written off, but its nonce is spent`
    }
  }
}

const placeOf = ({ txHash, logIndex }: ChainView['movements'][number]): string => `${txHash} ${logIndex}`

/** What is paid in and out as one; a stray is known by its place. */
function accountOf(transfer: Transfer | undefined): string | null {
  if (transfer === undefined || transfer.purpose === 'return') return null
  const { id, purpose, depositId, agentId } = transfer
  if (purpose === 'bond' || purpose === 'withdrawal') return `the bond of ${agentId}`
  return isPayout(purpose) ? depositId : id
}
