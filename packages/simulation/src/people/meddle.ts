import { MINUTE } from '@guildhall/protocol'
import type { Day } from '../day.ts'
import { STRANGER } from './cast.ts'
import type { Payment } from './payments.ts'

const REFILL = 30_000_000n

/** The payer cancels a signed payment, spends its nonce on something else, submits it directly, or empties the wallet. */
export function meddle(day: Day, { authorization }: Payment): void {
  const chain = day.chains.get(authorization.network)
  if (!chain) return
  const kind = day.chance.pick(['cancel', 'spend', 'send', 'drain'])
  day.tell(() => `${authorization.from.slice(-4)} meddles: ${kind} nonce ${authorization.nonce.slice(2, 10)}`)
  if (kind === 'cancel') chain.send('cancel', authorization)
  else if (kind === 'spend') chain.send('authorized', { ...authorization, to: STRANGER, value: 1n })
  else if (kind === 'send') chain.send('authorized', authorization)
  else {
    const value = chain.balanceAt(authorization.from, chain.head().number)
    chain.send('plain', { ...authorization, to: STRANGER, value })
    day.scheduler.after(null, 10 * MINUTE, () => chain.mint(authorization.from, REFILL))
  }
  if (day.chance.happens(0.7)) chain.mine()
}
