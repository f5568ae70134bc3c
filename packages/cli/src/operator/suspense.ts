import { formatUsdc } from '@guildhall/protocol'
import type { Desk, Stray } from '@guildhall/server/desk'
import type { Address } from 'viem'
import { PlainError } from '../plain-error.ts'
import { atDesk } from './at-desk.ts'
import { limitFrom } from './limit-from.ts'

type ListOptions = { readonly all?: boolean; readonly limit: string; readonly json?: boolean }

const MOST_AT_ONCE = 99_999
const NOTHING_HERE = 'Nothing that came unasked waits here; with --all, what was sent back is listed as well.'

/** Unrequested money in the escrow wallets. */
export const listStrays = ({ all = false, limit, json = false }: ListOptions): Promise<void> =>
  atDesk(async (desk) => {
    const strays = await desk.strays({ returned: all, limit: limitFrom(limit, MOST_AT_ONCE) })
    for (const stray of strays) console.log(json ? JSON.stringify(rowOf(stray)) : lineOf(stray))
    if (strays.length === 0 && !json) console.log(all ? 'Nothing has come unasked.' : NOTHING_HERE)
  })

export const returnStray = (id: string, { to }: { readonly to?: string }): Promise<void> =>
  atDesk(async (desk) => {
    const outcome = await desk.returnStray(id, to === undefined ? null : await addressOf(to))
    if (outcome.kind === 'unknown') throw new PlainError(`There is no stray ${id}: guildhall suspense list shows all.`)
    if (outcome.kind === 'returned') throw new PlainError(`${id} is on its way back, or back already.`)
    if (outcome.kind === 'no sender') throw new PlainError(`Nobody knows who sent ${id}: say with --to where it goes.`)
    if (outcome.kind === 'our own address')
      throw new PlainError(`${outcome.payee} is an address of the service or of a token: say with --to where it goes.`)
    const { value, network, to: payee } = outcome.transfer.authorization
    console.log(`${formatUsdc(value)} USDC go to ${payee} on ${network}, as ${outcome.transfer.id}.`)
    await tellOfPause(desk)
  })

/** Capitals in an address are a checksum (EIP-55): with one wrong digit the money would be lost. */
async function addressOf(text: string): Promise<Address> {
  const { isAddress } = await import('viem')
  if (!isAddress(text, { strict: false })) throw new PlainError(`${text} is no address.`)
  if (!isAddress(text))
    throw new PlainError(`${text} has a wrong checksum: copy it again, or write it in small letters.`)
  return text
}

export const coverLoss = (id: string): Promise<void> =>
  atDesk(async (desk) => {
    const outcome = await desk.coverLoss(id)
    if (outcome.kind === 'unknown') throw new PlainError(`There is no stray ${id}: guildhall suspense list shows all.`)
    if (outcome.kind === 'returned') throw new PlainError(`${id} is on its way back, or back already.`)
    const { network, amount } = outcome.stray
    if (outcome.kind === 'not missing') {
      const missing = formatUsdc(outcome.missing)
      throw new PlainError(`On ${network} ${missing} USDC are missing, less than the ${formatUsdc(amount)} of ${id}.`)
    }
    console.log(`${formatUsdc(amount)} USDC take the place of what is missing on ${network}.`)
    console.log(`${formatUsdc(outcome.stillMissing)} USDC are still missing there.`)
    await tellOfPause(desk)
  })

async function tellOfPause(desk: Desk): Promise<void> {
  const { paused, reason } = await desk.payouts()
  if (paused)
    console.log(`Payouts are paused: ${reason ?? 'no reason given'}. guildhall payouts resume lets them go on.`)
}

const rowOf = ({ id, network, counterparty, amount, txHash, logIndex, blockNumber, seenAt, returned }: Stray) => ({
  id,
  network,
  from: counterparty,
  amount_atomic: amount.toString(),
  tx_hash: txHash,
  log_index: logIndex,
  block: Number(blockNumber),
  seen_at: new Date(seenAt).toISOString(),
  returned: returned && { state: returned.state, tx_hash: returned.txHash },
})

function lineOf(stray: Stray): string {
  const { id, from, network, tx_hash, seen_at, returned } = rowOf(stray)
  const back =
    returned === null ? '' : `  going back: ${returned.state}${returned.tx_hash ? ` in ${returned.tx_hash}` : ''}`
  return `${id}  ${formatUsdc(stray.amount)} USDC  from ${from}  on ${network} in ${tx_hash}  seen ${seen_at}${back}`
}
