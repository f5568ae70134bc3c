import { formatUsdc, HOUR, limits, type RateLimit, type TaskCategory } from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import { openUntil } from '../../domain/task/changes.ts'
import { newTask } from '../../domain/task/new-task.ts'
import { type Bounty, type Creator, type Task, tasksPath } from '../../domain/task/task.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { ServedNetwork } from '../../ports/rules.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { afterChange } from '../after-change.ts'
import { knownOffer } from '../money/known-offers.ts'
import { noteAuthorization } from '../money/note-authorization.ts'
import { notePaymentEvent } from '../money/note-payment-event.ts'
import { paidChange } from '../money/paid-change.ts'
import { recordPayment } from '../money/record-payment.ts'
import { termsOn } from '../money/served-network.ts'
import { settleSoon } from '../money/settle-soon.ts'
import { type Offer, type TakenPayment, takePayment } from '../money/take-payment.ts'
import { newId } from '../new-id.ts'
import { checkBounty } from './check-bounty.ts'
import { countAgainst } from './count-against.ts'
import { checkExpiry, expiryCap } from './expiry-window.ts'
import { type Poster, posterChange } from './poster.ts'

export type TaskRequest = {
  readonly title: string
  readonly description: string
  readonly category: TaskCategory | null
  readonly requiredCapabilities: readonly string[]
  readonly expectedOutput: string | null
  readonly outputFormat: 'json' | 'link'
  readonly expiresInDays: number | null
  readonly bounty: Bounty | null
  /** Null: the service's default. */
  readonly escrow: boolean | null
}

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
  const inEscrow = bounty !== null && (request.escrow ?? world.escrow !== null)
  const served = bounty === null ? null : checkBounty(world, bounty, inEscrow)

  if (bounty === null || served === null || !inEscrow) {
    if (payment !== null) refuse('payment_not_expected')
    const task = await posterChange(world, poster, (tx) => open(world, tx, draftTask(world, poster, request), poster))
    world.nudge('announcement')
    return { task, deposit: null }
  }

  const taken = await takePayment(world, payment, () => depositOffer(world, poster.kind, bounty, served))
  await world.failpoints.reach('deposit: verified')
  const posted = await paidChange(world, poster, taken, (tx) =>
    openFunding(world, tx, draftTask(world, poster, request), taken, poster),
  )
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
  if (agent !== null && agent.status !== 'active') refuse('agent_not_active', { status: agent.status })
  if (category === 'testing' && agent?.house !== true) refuse('forbidden', {}, 'Only the house posts testing tasks.')
}

/** A task as it is at the moment of posting; nothing is written yet. */
export function draftTask(
  world: World,
  { kind, id, agent }: Pick<Poster, 'kind' | 'id' | 'agent'>,
  request: TaskRequest,
): Task {
  const now = world.clock.now()
  const asked = request.expiresInDays ?? Math.min(limits.task.expiresInDays.default, expiryCap(world, agent))
  const expiresInDays = asked === 0 ? null : asked
  return newTask({
    id: newId(world, 'task'),
    creator: { kind, id },
    title: request.title,
    description: request.description,
    category: request.category,
    requiredCapabilities: request.requiredCapabilities,
    expectedOutput: request.expectedOutput,
    outputFormat: request.outputFormat,
    expiresInDays,
    createdAt: now,
    expiresAt: openUntil(now, expiresInDays),
    bounty: request.bounty,
    paymentStatus: request.bounty === null ? 'none' : 'pending',
  })
}

const UNPAID: RateLimit = {
  name: 'unpaid-tasks',
  per: 'address',
  counts: 'done',
  points: limits.owner.unpaidTasksPerHour,
  windowMs: HOUR,
}

async function open(world: World, tx: Transaction, draft: Task, poster: Poster): Promise<Task> {
  // Registering an agent costs proof of work; a person needs only a mail address.
  if (poster.kind === 'owner') await countAgainst(UNPAID, world, tx, poster.id)
  const task = { ...draft, proposerSignature: poster.signature }
  await tx.postTask(task, task.createdAt, () => newId(world, 'evt'))
  if (task.bounty) await declare(world, tx, task, task.bounty)
  return task
}

/** Creates the task, with its deposit in flight. */
export async function openFunding(
  world: World,
  tx: Transaction,
  draft: Task,
  taken: TakenPayment,
  poster: Pick<Poster, 'agent' | 'signature'>,
): Promise<{ readonly task: Task; readonly deposit: Transfer }> {
  const { authorization } = taken
  const deposit = await recordPayment(world, tx, taken, {
    purpose: 'deposit',
    taskId: draft.id,
    agentId: poster.agent?.id ?? null,
  })
  const task: Task = {
    ...draft,
    proposerSignature: poster.signature,
    paymentStatus: 'settling',
    escrow: {
      status: 'funding',
      wallet: authorization.to,
      payer: authorization.from,
      depositId: deposit.id,
      depositTx: null,
      fundedAt: null,
      exitId: null,
      releaseTx: null,
      releasedAt: null,
      refundTx: null,
      refundedAt: null,
    },
  }
  await tx.insertTask(task)
  if (task.bounty) await declare(world, tx, task, task.bounty)
  await noteAuthorization(world, tx, task.id, 'deposit', taken)
  return { task, deposit }
}

const declare = (world: World, tx: Transaction, task: Task, bounty: Bounty): Promise<void> =>
  notePaymentEvent(world, tx, {
    taskId: task.id,
    type: 'bounty_declared',
    details: { amount_atomic: bounty.amount.toString(), network: bounty.network, escrow: task.escrow !== null },
  })
