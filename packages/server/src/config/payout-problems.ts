import { formatUsdc } from '@guildhall/protocol'
import type { Settings } from './settings.ts'

type Caps = Pick<
  Settings,
  | 'escrowKey'
  | 'escrowWallet'
  | 'houseWalletKey'
  | 'minBountyAtomic'
  | 'testing'
  | 'maxPayoutAtomic'
  | 'maxHourlyPayoutAtomic'
>

/** Caps with which the service would accept money that it may never pay out, or no bounty at all. */
export function payoutProblems(settings: Caps): string[] {
  const { maxPayoutAtomic: cap, maxHourlyPayoutAtomic: hourly, minBountyAtomic, testing } = settings
  if (settings.escrowKey === null && settings.escrowWallet === null) return []
  const problems: string[] = []
  if (hourly < cap)
    problems.push(
      `GUILDHALL_MAX_HOURLY_PAYOUT_USDC is ${formatUsdc(hourly)}, less than one payout may be: raise it to ${formatUsdc(cap)}, or lower GUILDHALL_MAX_PAYOUT_USDC to ${formatUsdc(hourly)}.`,
    )
  if (cap < minBountyAtomic)
    problems.push(
      `GUILDHALL_MAX_PAYOUT_USDC is ${formatUsdc(cap)}, less than the smallest bounty: raise it to ${formatUsdc(minBountyAtomic)} at least, or set GUILDHALL_ESCROW=disabled.`,
    )
  if (settings.houseWalletKey !== null && cap < testing.bountyAtomic)
    problems.push(
      `GUILDHALL_TESTING_BOUNTY_USDC is ${formatUsdc(testing.bountyAtomic)}, more than one payout may be: lower it, or raise GUILDHALL_MAX_PAYOUT_USDC.`,
    )
  return problems
}
