import { limits } from '@guildhall/protocol'
import type { Guard } from '../lifecycle.ts'
import { refusal } from '../refusal.ts'
import { isCreator, paysOn, type TaskFacts } from './facts.ts'

const { revisionRounds } = limits.task

export const WALLET_HELP =
  'PATCH /v1/agents/{id}/wallet with wallet_address and wallet_network; the answer carries the text that the wallet has to sign.'

export const callerIsCreator: Guard<TaskFacts> = {
  name: 'the caller is the creator',
  holds: isCreator,
  refusal: () => refusal('forbidden', {}, 'Only the poster of this task may do that.'),
}

export const callerIsNotCreator: Guard<TaskFacts> = {
  name: 'the caller is not the creator',
  holds: ({ task, actor }) => task.creator.id !== actor.id,
  refusal: () => refusal('own_task'),
}

/** An unclaimed task has no assigned agent: then its state decides the refusal. */
export const callerIsAssigned: Guard<TaskFacts> = {
  name: 'the caller is the assigned agent',
  holds: ({ task, actor }) => task.claimedBy === null || task.claimedBy === actor.id,
  refusal: () => refusal('forbidden', {}, 'Only the agent that holds the claim may deliver.'),
}

/** The timer pays no declared bounty: it accepts whatever wallet there is or is not, and the payment stays due. */
const staysDue = ({ task, actor }: TaskFacts): boolean => actor.kind === 'clock' && task.escrow === null

export const claimerHasWallet: Guard<TaskFacts> = {
  name: 'a bounty has a wallet to go to',
  holds: ({ task, wallet }) => task.bounty === null || wallet !== null,
  refusal: () => refusal('wallet_required', { help: WALLET_HELP }),
}

export const walletIsOnNetwork: Guard<TaskFacts> = {
  name: 'the wallet can be paid on the network of the bounty',
  holds: (facts) => {
    const { task, wallet } = facts
    return task.bounty === null || wallet === null || paysOn(wallet, task.bounty.network) || staysDue(facts)
  },
  refusal: ({ task, wallet }) =>
    refusal('wallet_network_mismatch', {
      help: WALLET_HELP,
      expected: task.bounty?.network ?? '',
      got: wallet?.network ?? '',
    }),
}

export const depositSettled: Guard<TaskFacts> = {
  name: 'the deposit has settled',
  holds: ({ task }) => task.escrow === null || task.escrow.status === 'funded',
  refusal: ({ task }) => refusal('escrow_not_funded', { escrow: { status: task.escrow?.status } }),
}

/** A reorg may remove a deposit during the work; nobody is paid from the deposits of others. */
export const depositHeld: Guard<TaskFacts> = {
  name: 'the deposit is held',
  holds: ({ task }) => task.escrow === null || task.escrow.status === 'funded',
  refusal: ({ task }) =>
    task.escrow?.status === 'funding'
      ? refusal('settlement_in_progress', {}, 'The chain took the deposit back; it is being settled again.')
      : refusal('invalid_state', { status: task.status }, 'The chain took the deposit back, and it can never settle.'),
}

export const budgetLeft: Guard<TaskFacts> = {
  name: 'the claim budget has room',
  holds: (facts) => facts.budgetLeft > 0,
  refusal: (facts) =>
    refusal('claim_budget_exhausted', { budget: facts.budget, active_claims: facts.budget - facts.budgetLeft }),
}

export const payeeHasWallet: Guard<TaskFacts> = {
  name: 'the deliverer has a payout wallet',
  holds: (facts) => facts.task.bounty === null || facts.wallet !== null || staysDue(facts),
  refusal: () => refusal('payee_wallet_missing'),
}

export const notDisputed: Guard<TaskFacts> = {
  name: 'the delivery is not disputed',
  holds: ({ task }) => task.reviewState !== 'disputed',
  refusal: () => refusal('already_disputed'),
}

export const disputed: Guard<TaskFacts> = {
  name: 'the delivery is disputed',
  holds: ({ task }) => task.reviewState === 'disputed',
  refusal: ({ task }) => refusal('dispute_first', { status: task.status }),
}

export const roundsLeft: Guard<TaskFacts> = {
  name: `fewer than ${revisionRounds} revision rounds are used`,
  holds: ({ task }) => task.revisionCount < revisionRounds,
  refusal: ({ task }) => refusal('max_revisions', { revision_count: task.revisionCount }),
}

const IN_FLIGHT = new Set(['authorized', 'settling', 'settled'])

export const noPaymentInFlight: Guard<TaskFacts> = {
  name: 'no payment is under way',
  holds: ({ task }) => task.escrow?.status !== 'funding' && !IN_FLIGHT.has(task.paymentStatus),
  refusal: ({ task }) => refusal('payment_in_flight', { payment_status: task.paymentStatus }),
}

export const claimHasLapsed: Guard<TaskFacts> = {
  name: 'seven days have passed since the claim',
  holds: ({ task, now }) => task.claimExpiresAt !== null && now >= task.claimExpiresAt,
  refusal: ({ task }) => refusal('conflict', { status: task.status }),
}

export const reviewIsOver: Guard<TaskFacts> = {
  name: 'seven days have passed since the delivery',
  holds: ({ task, now }) => task.autoReleaseAt !== null && now >= task.autoReleaseAt,
  refusal: ({ task }) => refusal('conflict', { status: task.status }),
}

export const openWindowIsOver: Guard<TaskFacts> = {
  name: 'the open window is over',
  holds: ({ task, now }) => task.expiresAt !== null && now >= task.expiresAt,
  refusal: ({ task }) => refusal('conflict', { status: task.status }),
}
