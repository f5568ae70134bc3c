import { formatUsdc } from '@guildhall/protocol'
import type { Bounty } from '../../domain/task/task.ts'

export const bountyView = (bounty: Bounty | null) => (bounty === null ? null : amountView(bounty))

export const amountView = ({ amount, network }: Bounty) =>
  ({ amount_atomic: amount.toString(), amount_display: formatUsdc(amount), token: 'USDC', network }) as const
