import { formatUsdc } from '@guildhall/protocol'
import type { Desk } from '@guildhall/server/desk'
import type { Format } from '../json-option.ts'
import { PlainError } from '../plain-error.ts'
import { atDesk } from './at-desk.ts'

export const showPayouts = ({ json }: Format): Promise<void> => atDesk((desk) => tell(desk, json))

export const pausePayouts = (reason: string, { json }: Format): Promise<void> =>
  atDesk(async (desk) => {
    await desk.pausePayouts(reason)
    await tell(desk, json)
  })

export const resumePayouts = ({ json }: Format): Promise<void> =>
  atDesk(async (desk) => {
    await desk.resumePayouts()
    await tell(desk, json)
  })

export const redirectPayout = (id: string): Promise<void> =>
  atDesk(async (desk) => {
    const outcome = await desk.redirectPayout(id)
    if (outcome.kind === 'unknown') throw new PlainError(`There is no payout ${id}: guildhall inbox shows what waits.`)
    if (outcome.kind === 'no release')
      throw new PlainError(`${id} is no release: a refund goes to whoever paid, a withdrawal back to the bond.`)
    if (outcome.kind === 'not waiting') throw new PlainError(`${id} does not wait: it is ${outcome.state}.`)
    if (outcome.kind === 'no other wallet')
      throw new PlainError(`The deliverer of ${id} has proven no other wallet that can be paid on its network.`)
    console.log(`${id} goes to ${outcome.to}, once its old authorization can no longer be used: in about an hour.`)
  })

async function tell(desk: Desk, json = false): Promise<void> {
  const { paused, reason, queued } = await desk.payouts()
  const { count, atomic } = queued
  if (json) return console.log(JSON.stringify({ paused, reason, queued: { count, atomic: atomic.toString() } }))
  console.log(paused ? `Payouts are paused: ${reason ?? 'no reason given'}.` : 'Payouts are running.')
  console.log(
    count === 1 ? `1 is queued, ${formatUsdc(atomic)} USDC.` : `${count} are queued, ${formatUsdc(atomic)} USDC.`,
  )
}
