import { formatUsdc } from '@guildhall/protocol'
import type { Bounty } from '../../domain/task/task.ts'

export const bountyView = (bounty: Bounty | null) =>
  bounty === null
    ? null
    : ({
        amount_atomic: bounty.amount.toString(),
        amount_display: formatUsdc(bounty.amount),
        token: 'USDC',
        network: bounty.network,
      } as const)
