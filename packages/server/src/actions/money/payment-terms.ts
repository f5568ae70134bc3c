import type { PaymentRequired, PaymentRequirements, RequirementsUnavailableReason } from '@guildhall/protocol'
import { isFundable, isInWork, isPaymentDue } from '../../domain/task/claimable.ts'
import { paysOn } from '../../domain/task/facts.ts'
import type { Task } from '../../domain/task/task.ts'
import { tasksPath } from '../../domain/task/task.ts'
import type { TaskDetail } from '../../ports/task-store.ts'
import type { World } from '../../ports/world.ts'
import { requiredBy } from './offer.ts'
import { servedNetwork, termsOn } from './served-network.ts'

export type PaymentTerms = {
  readonly requirements: PaymentRequirements | null
  readonly required: PaymentRequired | null
  readonly unavailable: RequirementsUnavailableReason | null
}

/** What must be signed to pay for a task now, or why nothing can be; neither when it is paid or being paid. */
export function paymentTerms(world: World, detail: TaskDetail): PaymentTerms {
  const unavailable = reasonAgainst(world, detail)
  const { task, agentWallet } = detail
  if (unavailable !== null || task.bounty === null || !isPayable(task))
    return { requirements: null, required: null, unavailable }
  const served = servedNetwork(world.rules, task.bounty.network)
  const payTo = task.escrow ? world.escrow?.address : (task.payTo ?? agentWallet?.address)
  if (!served || !payTo) return { requirements: null, required: null, unavailable: 'unsupported_network' }
  const requirements = termsOn(served, payTo, task.bounty.amount)
  const path = `${tasksPath(task.creator.kind)}/${task.id}/${task.escrow ? 'fund' : 'accept'}`
  const description = task.escrow
    ? `Escrow deposit for task ${task.id}.`
    : `Bounty for task ${task.id}, paid to its deliverer.`
  return {
    requirements,
    required: requiredBy(world, { path, description, accepts: [requirements] }),
    unavailable: null,
  }
}

/** A signature for these terms is charged: none are offered once a payment was taken, or when the task is over. */
const isPayable = (task: Task): boolean =>
  task.escrow === null ? isInWork(task.status) || isPaymentDue(task) : isFundable(task.status)

function reasonAgainst(world: World, { task, agentWallet }: TaskDetail): RequirementsUnavailableReason | null {
  if (task.bounty === null) return 'no_bounty'
  if (!servedNetwork(world.rules, task.bounty.network)) return 'unsupported_network'
  if (task.escrow) {
    if (task.escrow.status === 'funding') return 'escrow_funding'
    if (task.escrow.status !== 'unfunded') return 'escrow_held'
    // A wallet hires again instead: its task has no second deposit. Neither has a task that is over.
    const isPaidAgain = task.creator.kind !== 'wallet' && isFundable(task.status)
    return world.escrow && isPaidAgain ? null : 'escrow_unavailable'
  }
  if (task.claimedBy === null || task.status === 'cancelled') return 'not_claimed'
  if (task.payTo !== null) return null
  if (agentWallet === null) return 'payee_wallet_missing'
  return paysOn(agentWallet, task.bounty.network) ? null : 'payee_wallet_wrong_network'
}
