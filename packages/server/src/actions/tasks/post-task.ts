import { endpoints, formatUsdc } from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import { type Bounty, type Creator, type Task, tasksPath } from '../../domain/task/task.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { ServedNetwork } from '../../ports/rules.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { afterChange } from '../after-change.ts'
import { refuseInactive, refuseSuspendedSince } from '../agents/refuse-inactive.ts'
import { countAgainst } from '../count-against.ts'
import { knownOffer } from '../money/known-offers.ts'
import type { Offer } from '../money/offer.ts'
import { paidChange } from '../money/paid-change.ts'
import { termsOn } from '../money/served-network.ts'
import { settleSoon } from '../money/settle-soon.ts'
import { takePayment } from '../money/take-payment.ts'
import { newId } from '../new-id.ts'
import { type Poster, posterChange, sharedPosterChange } from '../poster.ts'
import { checkBounty, isEscrowOnly } from './check-bounty.ts'
import { declareBounty } from './declare-bounty.ts'
import { draftTask, type TaskRequest } from './draft-task.ts'
import { checkExpiry } from './expiry-window.ts'
import { openFunding } from './open-funding.ts'

export type Posted = { readonly task: Task; readonly deposit: Transfer | null }

/** Posts a task: free, with a declared bounty, or with one that is paid into escrow by this call. */
export async function postTask(
  world: World,
  poster: Poster,
  request: TaskRequest,
  payment: string | null,
): Promise<Posted> {
  checkStanding(poster, request)
  checkExpiry(world, request, poster.agent)
  const { bounty } = request
  const inEscrow = bounty !== null && (request.escrow ?? (world.escrow !== null || isEscrowOnly(bounty.network)))
  const served = bounty === null ? null : checkBounty(world, bounty, inEscrow)

  if (bounty === null || served === null || !inEscrow) {
    if (payment !== null) refuse('payment_not_expected')
    const change = poster.kind === 'agent' && bounty === null ? sharedPosterChange : posterChange
    const task = await change(world, poster, (tx) => open(world, tx, draftTask(world, poster, request), poster))
    world.nudge('announcement')
    return { task, deposit: null }
  }

  const taken = await takePayment(world, payment, () => depositOffer(world, poster.kind, bounty, served))
  await world.failpoints.reach('deposit: verified')
  const posted = await paidChange(world, poster, taken, async (tx) => {
    await refuseSuspendedSince(tx, poster)
    return openFunding(world, tx, draftTask(world, poster, request), taken, poster)
  })
  await world.failpoints.reach('deposit: committed')
  const task = await settleSoon(world, posted.task, posted.deposit.id)
  return { task, deposit: await afterChange(world.store.transfer(posted.deposit.id)) }
}

const depositOffer = (world: World, kind: Creator['kind'], { amount, network }: Bounty, served: ServedNetwork): Offer =>
  knownOffer(world, `deposit ${kind} ${amount} ${network}`, () => ({
    path: tasksPath(kind),
    description: `Escrow deposit of ${formatUsdc(amount)} USDC for a task on ${world.rules.serviceName}.`,
    accepts: [termsOn(served, world.escrow?.address ?? refuse('escrow_unavailable'), amount)],
  }))

function checkStanding({ agent }: Poster, { category }: TaskRequest): void {
  refuseInactive(agent)
  if (category === 'testing' && agent?.house !== true) refuse('forbidden', {}, 'Only the house posts testing tasks.')
}

async function open(world: World, tx: Transaction, draft: Task, poster: Poster): Promise<Task> {
  // Registering an agent costs proof of work; a person needs only a mail address.
  if (poster.kind === 'owner') await countAgainst(endpoints.createOwnerTask.limit, world, tx, poster.id)
  const task = { ...draft, proposerSignature: poster.signature }
  await tx.postTask(task, task.createdAt, () => newId(world, 'evt'))
  if (task.bounty) await declareBounty(world, tx, task, task.bounty)
  return task
}
