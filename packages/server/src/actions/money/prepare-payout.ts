import { unixSeconds } from '../../domain/instant.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Balance } from '../../ports/chain.ts'
import type { SigningOutcome } from '../../ports/escrow-signer.ts'
import type { Unreachable } from '../../ports/unreachable.ts'
import type { World } from '../../ports/world.ts'
import { wasLookedAt } from '../custody/was-looked-at.ts'
import { depthOf } from './depth-of.ts'
import { heldInEscrow } from './held-in-escrow.ts'
import { pauseReason } from './pause-reason.ts'
import { postpone } from './postpone.ts'
import { queuePayout } from './queue-payout.ts'
import { reservePayout } from './reserve-payout.ts'
import { turnPayout } from './turn-payout.ts'

const MIN_REMAINING_SECONDS = 120n

/**
 * A payout may be sent when payouts are not paused, the deposit is mature, and the wallet holds what the books say. It is signed
 * then, and the signature is committed before anyone outside sees it. An expiring signature is replaced by one with the same
 * nonce, and another payee if an operator has redirected the payout. `heldBefore` is what the wallet held before the chain was asked
 * for this payout.
 */
export async function preparePayout(
  world: World,
  leased: Transfer,
  heldBefore: Balance | Unreachable | null,
): Promise<Transfer | null> {
  const paused = pauseReason(await world.store.payoutsPaused())
  if (paused !== null) return queuePayout(world, leased, paused)
  const waiting = await reasonToWait(world, leased)
  if (waiting !== null) return postpone(world, leased, waiting)
  const short = await shortWallet(world, leased, heldBefore ?? (await heldInEscrow(world, leased)))
  if (short !== null) return queuePayout(world, leased, short)
  const now = BigInt(unixSeconds(world.clock.now()))
  const lives = leased.signature !== null && leased.authorization.validBefore > now + MIN_REMAINING_SECONDS
  if (lives) return leased
  // A withdrawal is signed only once: if that signature expires unused, the money is credited back to the bond.
  if (leased.purpose === 'withdrawal' && leased.signature !== null) {
    return postpone(world, leased, 'waiting until the chain has passed the end of the authorization')
  }
  if (world.escrow?.isElsewhere) return postpone(world, leased, 'left to the nodes that have the escrow key')
  const payout = leased.redirectTo === null ? leased : await turnPayout(world, leased)
  if (payout === null) return null
  const fromBlock = await firstBlock(world, payout)
  if (fromBlock === null) return postpone(world, payout, 'the chain cannot be reached')
  const reservation = await reservePayout(world, payout, fromBlock)
  if (reservation.kind === 'waits') return queuePayout(world, payout, reservation.why)
  return reservation.kind === 'taken' ? null : signPayout(world, payout, reservation.transfer)
}

async function signPayout(world: World, before: Transfer, reserved: Transfer): Promise<Transfer | null> {
  const outcome = await sign(world, reserved)
  if (outcome.kind === 'refused') {
    // Nothing was reserved, and what was signed before may still be used.
    const { authorization, signature } = before
    return queuePayout(world, reserved, `not signed: ${outcome.reason}`, (now) => ({
      ...now,
      authorization,
      signature,
    }))
  }
  await world.failpoints.reach(`${reserved.purpose}: signed`)
  return world.store.transaction(async (tx) => {
    const current = await tx.lockTransfer(reserved.id)
    if (current?.fence !== reserved.fence || current.state !== 'intended') return null
    const signed = { ...current, signature: outcome.signature }
    await tx.saveTransfer(signed)
    return signed
  })
}

/** Whatever else the key has signed must not leave this node: somebody could carry it out. */
async function sign({ escrow, chain }: World, { id, authorization }: Transfer): Promise<SigningOutcome> {
  if (!escrow) return { kind: 'refused', reason: 'the escrow key is not configured' }
  const outcome = await escrow.sign({ transferId: id, authorization })
  if (outcome.kind === 'refused') return outcome
  const isOurs = (await chain.payerSigned(authorization, outcome.signature)) === 'plain'
  return isOurs ? outcome : { kind: 'refused', reason: 'signature_does_not_hold' }
}

/** A payout cannot be on the chain before it was first signed; most have an earlier block on record. */
async function firstBlock(world: World, { fromBlock, authorization }: Transfer): Promise<bigint | null> {
  if (fromBlock > 0n) return fromBlock
  const head = await world.chain.head(authorization.network)
  return head.kind === 'head' ? head.number : null
}

/**
 * The nonce of a withdrawal follows from no deposit: on an older copy of the database the chain would pay one that has left before.
 * A look at the wallet shows it, and pauses payouts.
 */
async function reasonToWait(world: World, transfer: Transfer): Promise<string | null> {
  const { purpose, depositId, agentId, authorization, createdAt } = transfer
  const isWithdrawal = purpose === 'withdrawal'
  const deposit = depositId === null ? null : await world.store.transfer(depositId)
  if (depositId !== null && !(deposit && (await mayLeave(world, deposit)))) return 'the deposit is not final yet'
  const bonds = isWithdrawal && agentId !== null ? await world.store.youngBonds(agentId) : []
  for (const bond of bonds) if (!(await mayLeave(world, bond))) return 'a bond of the agent is not final yet'
  if (isWithdrawal && agentId !== null && (await world.store.bondDebt(agentId, authorization.network)) > 0n)
    return 'the chain took the bond back'
  if (isWithdrawal && !(await wasLookedAt(world, authorization.network, createdAt)))
    return 'the escrow wallet could not be looked at yet'
  return null
}

/** Between two looks of the watch, too, nobody is paid from a wallet that holds less than it must. */
async function shortWallet(
  { store }: World,
  { id, authorization }: Transfer,
  held: Balance | Unreachable | null,
): Promise<string | null> {
  if (held === null) return null
  if (held.kind === 'unreachable') return `the chain cannot be reached: ${held.cause}`
  const least = await store.leastHeld(authorization.network, held.block, id)
  return held.atomic < least ? 'the escrow wallet holds less than the books say' : null
}

/** A deposit that may still be reorged away is checked again right before its payout is sent. */
async function mayLeave(world: World, { state, mature, final, authorization, fromBlock }: Transfer): Promise<boolean> {
  if (state !== 'settled' || !mature) return false
  if (final) return true
  const evidence = await world.chain.evidence(authorization, fromBlock)
  return evidence.kind === 'settled' && depthOf(world, authorization, evidence.confirmations).mature
}
