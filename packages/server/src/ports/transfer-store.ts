import type { Instant } from '../domain/instant.ts'
import type { PaymentEvent } from '../domain/payment/payment-event.ts'
import type { Authorization, Transfer } from '../domain/transfer/transfer.ts'

export type TransferReads = {
  transfer(id: string): Promise<Transfer | null>
  transferByAuthorization(key: Pick<Authorization, 'network' | 'asset' | 'from' | 'nonce'>): Promise<Transfer | null>
  /** Transfers to settle now, and settled ones to look at again because they are not final yet. */
  dueTransfers(now: Instant, limit: number, network: string): Promise<readonly string[]>
  /** The payment history of a task, oldest first. */
  paymentEvents(taskId: string): Promise<readonly PaymentEvent[]>
  /** Settled bonds of the agent that a reorg could still undo. */
  youngBonds(agentId: string): Promise<readonly Transfer[]>
  /** Whether a bond or withdrawal of the agent is in flight, or could still be undone by a reorg. */
  hasOpenBond(agentId: string): Promise<boolean>
  /** How many withdrawals of the agent's bond are on record, whatever came of them. */
  countWithdrawals(agentId: string): Promise<number>
  /** Withdrawals of the agent's bond that have not been signed yet. */
  unsentWithdrawals(agentId: string): Promise<readonly string[]>
  /** What the house still covers for the agent, because bonds were reorged away after they had been slashed or withdrawn. */
  bondDebt(agentId: string, network: string): Promise<bigint>
}

export type TransferWrites = {
  /** False when an authorization with the same network, asset, payer and nonce is on record. */
  insertTransfer(transfer: Transfer): Promise<boolean>
  lockTransfer(id: string): Promise<Transfer | null>
  saveTransfer(transfer: Transfer): Promise<void>
  /** Takes the lease and raises its number; null when another attempt holds it, or nothing is left to do. */
  leaseTransfer(id: string, now: Instant, until: Instant): Promise<Transfer | null>
  /** Prolongs the lease of this number; false when it was given back, or another attempt has taken a newer one. */
  renewLease(leased: Pick<Transfer, 'id' | 'fence'>, until: Instant): Promise<boolean>
  addPaymentEvent(event: PaymentEvent): Promise<void>
}
