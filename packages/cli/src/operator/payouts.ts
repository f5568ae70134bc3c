import { formatUsdc } from '@guildhall/protocol'
import type { Desk } from '@guildhall/server'
import { atDesk } from './at-desk.ts'

type Format = { readonly json?: boolean | undefined }

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

async function tell(desk: Desk, json = false): Promise<void> {
  const { paused, reason, queued } = await desk.payouts()
  const { count, atomic } = queued
  if (json) return console.log(JSON.stringify({ paused, reason, queued: { count, atomic: atomic.toString() } }))
  console.log(paused ? `Payouts are paused: ${reason ?? 'no reason given'}.` : 'Payouts are running.')
  console.log(
    count === 1 ? `1 is queued, ${formatUsdc(atomic)} USDC.` : `${count} are queued, ${formatUsdc(atomic)} USDC.`,
  )
}
