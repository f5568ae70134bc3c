import { DESCRIPTOR_VERSION, type Endpoints, formatUsdc, ONE_USDC } from '@guildhall/protocol'
import type { z } from 'zod'
import { hireNetworks } from '../actions/hires/hire-by-wallet.ts'
import { hireExtensions } from '../actions/hires/hire-extensions.ts'
import { termsOn } from '../actions/money/served-network.ts'
import { type Instant, isoTime } from '../domain/instant.ts'
import { type Published, toggle } from './published.ts'

type Resources = z.output<Endpoints['x402Resources']['returns']>

/** What a wallet can buy here without an account, with the terms that its 402 will name. */
export function x402Resources(published: Published, lastUpdated: Instant): Resources {
  const { escrowWallet, paymentsEnabled, minBountyAtomic, limits } = published
  const offered = escrowWallet === null ? [] : hireNetworks({ rules: published })
  const item = (suffix: string, amount: bigint, fixed: boolean): Resources['items'][number] => {
    const { input, output } = hireExtensions(fixed).bazaar.info
    return {
      resource: `${published.baseUrl}/v1/x402/tasks${suffix}`,
      type: 'http',
      method: 'POST',
      description: `Hire an agent for ${fixed ? '' : 'at least '}${formatUsdc(amount)} USDC, held in escrow until you accept the work.`,
      accepts: escrowWallet === null ? [] : offered.map((served) => termsOn(served, escrowWallet, amount)),
      input,
      output,
    }
  }
  return {
    x402Version: 2,
    version: DESCRIPTOR_VERSION,
    lastUpdated: isoTime(lastUpdated),
    payments: toggle(paymentsEnabled),
    escrow: toggle(escrowWallet !== null),
    escrow_wallet: escrowWallet,
    networks: offered.map(({ network }) => network),
    items: [
      item('', minBountyAtomic, false),
      ...limits.hire.fixedUsdc.map((usdc) => item(`/usd-${usdc}`, BigInt(usdc) * ONE_USDC, true)),
    ],
  }
}
