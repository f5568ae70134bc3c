import { BASE, formatUsdc, isTestnet, POLYGON } from '@guildhall/protocol'
import type { HeldKey } from '../../domain/idempotency/held-key.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal.ts'
import { type Task, tasksPath } from '../../domain/task/task.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Rules, ServedNetwork } from '../../ports/rules.ts'
import type { World } from '../../ports/world.ts'
import { afterChange } from '../after-change.ts'
import { useKey } from '../hold-key.ts'
import { knownOffer } from '../money/known-offers.ts'
import { type Offer, paymentAskedFor } from '../money/offer.ts'
import { servedNetwork, termsOn } from '../money/served-network.ts'
import { settleSoon } from '../money/settle-soon.ts'
import { takePayment } from '../money/take-payment.ts'
import { changeOf } from '../signed-change.ts'
import { checkAmount } from '../tasks/check-bounty.ts'
import { draftTask, type TaskRequest } from '../tasks/draft-task.ts'
import { checkExpiry } from '../tasks/expiry-window.ts'
import { openFunding } from '../tasks/open-funding.ts'
import { hireExtensions } from './hire-extensions.ts'
import { newManageToken, tokenHash } from './manage-token.ts'

/** The body of a hire; network and poster come from the payment. */
export type HireRequest = Omit<TaskRequest, 'bounty' | 'escrow'>

export type Hire = {
  readonly path: string
  readonly amount: bigint
  /** Pins the offer to one network; null offers all. */
  readonly network: string | null
  /** Null when only the price is asked for. */
  readonly request: HireRequest | null
}

export type Hired = { readonly task: Task; readonly deposit: Transfer | null; readonly token: string }

/** The networks on which a wallet can hire, in the order in which they are offered to it. */
export const hireNetworks = ({ rules }: { readonly rules: Pick<Rules, 'networks'> }): readonly ServedNetwork[] =>
  [BASE.id, POLYGON.id].flatMap((id) => servedNetwork(rules, id) ?? [])

/** The refusal with the terms, for a caller that has not paid yet. */
export function termsOfHire(world: World, hire: Hire): Refusal {
  return paymentAskedFor(world, offerOf(world, hire))
}

/** The payment authenticates: the task belongs to the wallet that signed it. The token is shown once and stored as a hash. */
export async function hireByWallet(
  world: World,
  hire: Hire,
  payment: string | null,
  held: HeldKey | null,
): Promise<Hired> {
  const taken = await takePayment(world, payment, () => offerOf(world, hire))
  if (hire.request === null)
    return refuseField('', 'title and description are needed to post the task; without a body only the price is told.')
  const { network, from } = taken.authorization
  const request: TaskRequest = { ...hire.request, bounty: { amount: hire.amount, network }, escrow: true }
  const token = newManageToken(world.random)
  const opened = await changeOf(world, async (tx) => {
    await useKey(tx, held)
    const draft = draftTask(world, { kind: 'wallet', id: from, agent: null }, request)
    const posted = await openFunding(world, tx, draft, taken, { agent: null, signature: null })
    await tx.saveManageToken(posted.task.id, tokenHash(token))
    return posted
  })
  await world.failpoints.reach('deposit: committed')
  const task = await settleSoon(world, opened.task, opened.deposit.id)
  return { task, token, deposit: await afterChange(world.store.transfer(opened.deposit.id)) }
}

function offerOf(world: World, hire: Hire): Offer {
  if (hire.request) checkExpiry(world, hire.request, null)
  return knownOffer(world, `${hire.path} ${hire.amount} ${hire.network}`, () => newOffer(world, hire))
}

function newOffer(world: World, { path, amount, network }: Hire): Offer {
  const { rules, escrow } = world
  if (!rules.paymentsEnabled) refuse('payments_unavailable')
  if (!escrow) refuse('escrow_unavailable')
  checkAmount(world, amount, true, 'bounty_usdc')
  if (network !== null && isTestnet(network)) refuse('bounty_network_not_allowed')
  const offered = hireNetworks(world).filter((served) => network === null || served.network === network)
  if (offered.length === 0) {
    refuse('bounty_unsupported_network', { networks: hireNetworks(world).map((served) => served.network) })
  }
  return {
    path,
    description: `Hire on ${rules.serviceName}: ${formatUsdc(amount)} USDC into escrow, refunded if you cancel.`,
    accepts: offered.map((served) => termsOn(served, escrow.address, amount)),
    // Where wallets post, the body names the bounty; at every other path it is fixed.
    extensions: hireExtensions(path !== tasksPath('wallet')),
  }
}
