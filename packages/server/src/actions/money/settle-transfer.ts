import { SECOND } from '@guildhall/protocol'
import { isDead } from '../../domain/transfer/is-dead.ts'
import { isPayout, type Transfer } from '../../domain/transfer/transfer.ts'
import type { Evidence } from '../../ports/chain.ts'
import type { SettleOutcome, SignedAuthorization } from '../../ports/facilitator.ts'
import { pause } from '../../ports/timer.ts'
import type { World } from '../../ports/world.ts'
import { concludeTransfer } from './conclude-transfer.ts'
import { heldInEscrow } from './held-in-escrow.ts'
import { keepLease, LEASE_MS } from './keep-lease.ts'
import { pauseReason } from './pause-reason.ts'
import { preparePayout } from './prepare-payout.ts'
import { queuePayout } from './queue-payout.ts'
import { servedNetwork, termsOn } from './served-network.ts'

const PROOF_WAIT_MS = 5 * SECOND
const PROOF_POLL_MS = 40

/**
 * One attempt to settle a transfer: lease it, read the chain, send it, read again, write the outcome. Requests and jobs share
 * this action. Only the chain decides; the facilitator's answer only says how long to wait for proof. False when another attempt
 * holds the lease, or nothing is left to do.
 */
export async function settleTransfer(world: World, transferId: string): Promise<boolean> {
  const now = world.clock.now()
  const leased = await world.store.transaction((tx) => tx.leaseTransfer(transferId, now, now + LEASE_MS))
  if (!leased) return false
  const letGo = keepLease(world, (tx, at) => tx.renewLease(leased, at + LEASE_MS))
  try {
    await attempt(world, leased)
  } finally {
    letGo()
  }
  return true
}

async function attempt(world: World, leased: Transfer): Promise<void> {
  if (leased.state === 'settled') return lookAgain(world, leased)
  await world.failpoints.reach(`${leased.purpose}: leased`)

  const isRetried = leased.attempts > 1
  // The balance before the look: if this payout has left the wallet by then, the look shows it.
  const held = isRetried && isPayout(leased.purpose) ? await heldInEscrow(world, leased) : null
  const before = isRetried ? await look(world, leased) : null
  if (before && (before.kind !== 'unused' || isDead(leased, before))) {
    return concludeTransfer(world, leased, before, null)
  }

  const ready = isPayout(leased.purpose) ? await preparePayout(world, leased, held) : leased
  if (!ready || ready.signature === null) return
  const paused = isPayout(ready.purpose) ? pauseReason(await world.store.payoutsPaused()) : null
  if (paused !== null) return void (await queuePayout(world, ready, paused))
  await world.failpoints.reach(`${ready.purpose}: before settle`)
  const hint = await send(world, ready, ready.signature)
  await world.failpoints.reach(`${ready.purpose}: after settle`)
  await concludeTransfer(world, ready, await proof(world, ready, hint), hint)
}

/**
 * Whether the chain still shows what has settled. What it took back is undone and tried again; but a deposit whose payout the
 * chain kept stays settled in the books, and is sent again from here.
 */
async function lookAgain(world: World, leased: Transfer): Promise<void> {
  const evidence = await look(world, leased)
  const isGone = evidence.kind === 'unused' && !isDead(leased, evidence)
  if (!isGone || leased.signature === null || !(await isPayoutKept(world, leased)))
    return concludeTransfer(world, leased, evidence, null)
  const hint = await send(world, leased, leased.signature)
  await concludeTransfer(world, leased, await proof(world, leased, hint), hint)
}

async function isPayoutKept(world: World, { purpose, taskId }: Transfer): Promise<boolean> {
  const task = purpose === 'deposit' && taskId !== null ? await world.store.task(taskId) : null
  const payout = task?.escrow?.exitId ? await world.store.transfer(task.escrow.exitId) : null
  return payout?.state === 'settled' && (await look(world, payout)).kind === 'settled'
}

const look = (world: World, transfer: Transfer): Promise<Evidence> =>
  world.chain.evidence(transfer.authorization, transfer.fromBlock)

function send(
  world: World,
  { authorization }: Transfer,
  signature: SignedAuthorization['signature'],
): Promise<SettleOutcome> {
  const served = servedNetwork(world.rules, authorization.network)
  if (!served) return Promise.resolve({ kind: 'unknown', cause: `${authorization.network} is not configured any more` })
  return world.facilitator.settle({ authorization, signature }, termsOn(served, authorization.to, authorization.value))
}

/** A sent transaction appears within a block or so: wait PROOF_WAIT_MS for it, then leave it to the next attempt. */
async function proof(world: World, transfer: Transfer, hint: SettleOutcome): Promise<Evidence> {
  const needed = servedNetwork(world.rules, transfer.authorization.network)?.confirmations ?? 1
  const patience = hint.kind === 'settled' || hint.kind === 'pending' ? PROOF_WAIT_MS : 0
  const until = world.timer.elapsed() + patience
  for (;;) {
    const evidence = await look(world, transfer)
    const enough = evidence.kind === 'settled' && evidence.confirmations >= needed
    if (enough || evidence.kind === 'unreachable' || world.timer.elapsed() >= until) return evidence
    await pause(world.timer, PROOF_POLL_MS)
  }
}
