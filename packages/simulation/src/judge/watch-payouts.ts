import { SECOND } from '@guildhall/protocol'
import { finalityOf, type Transfer, type Watch } from '@guildhall/server/parts'
import { MOST_BEHIND } from '../chain/rpc.ts'
import { type Day, ESCROW_WALLET } from '../day.ts'
import { MOST_SKEW_MS } from '../node.ts'
import { bondDebtOf } from '../store/bonds.ts'
import { leastHeldOf } from '../store/custody-position.ts'
import { COMMITTED, type View } from '../store/overlay.ts'

/** An attempt to pay that began without what it rests on, and has not got it since. */
type Unfounded = { readonly why: string; readonly reorgs: number }

/** By as much two nodes may disagree on what came first. */
const SKEW = 3 * MOST_SKEW_MS

/**
 * Nothing is sent from the wallet that rests on nothing: payouts run, what was paid in for this one is deep in the chain and in the
 * books, and the wallet holds what is owed to others. That is judged as of the whole attempt, since books and chain change under it.
 * Most such payouts would cost nobody anything: only rarely does the chain take something back in the next moment, and then it is
 * others' money that has left.
 */
export function watchPayouts(day: Day): void {
  const { database, chains, facilitator, scheduler, rules, surprises } = day
  const { transfers, watches, switches } = database.tables
  const unfounded = new Map<string, Unfounded>()
  /** When the wallet was last looked at, by the scheduler's clock. */
  const lookedAt = new Map<string, number>()
  const sent = new Set<string>()
  const reorgsOn = (network: string) => chains.get(network)?.reorgs ?? 0

  database.onCommit.push((own) => {
    const isPaused = own.get(switches, 'payouts')?.paused
    for (const [network, row] of own.written.get(watches as Map<string, unknown>) ?? []) {
      const { provenAt, difference } = row as Watch
      if (provenAt === watches.get(network)?.provenAt) continue
      lookedAt.set(network, scheduler.now())
      if (difference < 0n && !isPaused) surprises.push(`${-difference} is missing on ${network}, and payouts run`)
    }
    for (const [id, { why }] of unfounded) {
      const payout = own.get(transfers, id)
      if (payout === null || missing(day, own, payout) !== why) unfounded.delete(id)
    }
    for (const [id, row] of own.written.get(transfers as Map<string, unknown>) ?? []) {
      const payout = row as Transfer
      const { fence = 0, signature = null } = transfers.get(id) ?? {}
      const isNewAttempt = payout.fence !== fence
      // Signing takes a while, so the switch is looked at once more after that.
      const isSignedInVain = isPaused && signature === null && payout.signature !== null
      const why = isNewAttempt || isSignedInVain ? missing(day, own, payout) : null
      if (why !== null) unfounded.set(id, { why, reorgs: reorgsOn(payout.authorization.network) })
    }
  })

  facilitator.onSettle.push(({ network, from, nonce }) => {
    for (const payout of transfers.values()) {
      const { authorization, purpose, id } = payout
      if (authorization.nonce !== nonce || authorization.from !== from || authorization.network !== network) continue
      const known = unfounded.get(id)
      const isStillSo = known?.reorgs === reorgsOn(network) && known.why === missing(day, COMMITTED, payout)
      if (isStillSo) surprises.push(`the ${purpose} ${id} was sent: ${known.why}`)
      if (purpose === 'withdrawal' && (lookedAt.get(network) ?? 0) < payout.createdAt - SKEW)
        surprises.push(`the ${purpose} ${id} was sent without a look at the wallet`)
      if (from !== ESCROW_WALLET) continue
      sent.add(id)
      const atomic = sentLately(day, sent)
      if (atomic > rules.maxHourlyPayoutAtomic) surprises.push(`${atomic} was sent within an hour`)
    }
  })
}

/** What was sent with signatures that are not over: they are valid for an hour. */
function sentLately({ database, scheduler }: Day, sent: ReadonlySet<string>): bigint {
  let atomic = 0n
  for (const { id, authorization } of database.tables.transfers.values()) {
    const end = Number(authorization.validBefore) * SECOND
    if (sent.has(id) && end > scheduler.now() + SKEW) atomic += authorization.value
  }
  return atomic
}

/** What a payout rests on and is not there; null for everything else. */
function missing(day: Day, view: View, payout: Transfer): string | null {
  const { purpose, depositId, agentId, authorization } = payout
  const { tables } = day.database
  const { network } = authorization
  const isWithdrawal = purpose === 'withdrawal' && agentId !== null
  if (depositId === null && purpose !== 'return' && !isWithdrawal) return null
  if (view.get(tables.switches, 'payouts')?.paused) return 'payouts are paused'
  const deposit = depositId === null ? null : view.get(tables.transfers, depositId)
  if (depositId !== null && !(deposit && isDeep(day, deposit))) return `its deposit ${depositId} is not deep enough`
  for (const bond of isWithdrawal ? view.all(tables.transfers) : []) {
    if (bond.agentId !== agentId || bond.purpose !== 'bond' || bond.state !== 'settled' || bond.final) continue
    if (!isDeep(day, bond)) return `the bond ${bond.id} is not deep enough`
  }
  if (isWithdrawal && bondDebtOf(tables, view, agentId, network) > 0n) return 'the house stands in for its bond'
  return isWalletShort(day, view, payout) ? 'the wallet holds less than the books say' : null
}

/** By the newest block, and by the one of the slowest RPC node. */
function isWalletShort({ chains, database: { tables } }: Day, view: View, { id, authorization }: Transfer): boolean {
  const { network } = authorization
  const chain = chains.get(network)
  if (!chain) return false
  const head = chain.head().number
  for (let block = head; block >= head - MOST_BEHIND; block--) {
    const least = leastHeldOf(tables, view, network, BigInt(block), id)
    if (chain.balanceAt(ESCROW_WALLET, block) >= least) return false
  }
  return true
}

function isDeep({ chains, rules }: Day, { state, final, authorization }: Transfer): boolean {
  const { network, from, nonce, value } = authorization
  const served = rules.networks.find((one) => one.network === network)
  const chain = chains.get(network)
  if (state !== 'settled' || !served || !chain) return false
  const head = chain.head().number
  const block = chain.spendingAt(from, nonce, head)?.blockNumber ?? head + 1
  return final || head - block + 1 >= finalityOf(served, value)
}
