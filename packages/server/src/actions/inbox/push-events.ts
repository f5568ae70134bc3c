import { MINUTE, SECOND } from '@guildhall/protocol'
import type { InboxEvent } from '../../domain/inbox/event.ts'
import { afterFailure } from '../../domain/webhook/after-failure.ts'
import type { Webhook } from '../../domain/webhook/webhook.ts'
import type { World } from '../../ports/world.ts'
import { notePushed } from './read-messages.ts'
import { newSalt } from './rotate-webhook-secret.ts'

const LEASE_MS = 2 * MINUTE
const TURN_MS = 30 * SECOND
const PAGE = 20

/**
 * Pushes an agent's waiting events in inbox order, until one fails or the turn is over. After a crash an event that has arrived
 * may be pushed again, under the same id; its delivery is recorded once.
 */
export async function pushEvents(world: World, agentId: string): Promise<void> {
  const now = world.clock.now()
  const leased = await world.store.transaction((tx) => tx.leaseWebhook(agentId, now, now + LEASE_MS, newSalt(world)))
  if (!leased) return
  const turnEnds = world.timer.elapsed() + TURN_MS
  let webhook: Webhook | null = leased
  for (let waiting = true; webhook !== null && waiting && world.timer.elapsed() < turnEnds; ) {
    const page = await world.store.inbox({ ...ALL, agentId, after: webhook.position })
    webhook = await pushPage(world, webhook, page.events, turnEnds)
    waiting = page.hasMore
  }
  const done = webhook
  if (done !== null) await world.store.transaction((tx) => tx.releaseWebhook(done, world.clock.now()))
}

const ALL = { type: null, unreadOnly: false, limit: PAGE } as const

/**
 * The webhook after the pushed events of the page; null when it has to wait, or the lease was lost. An address may take ten
 * seconds per event: a page that went on after the turn would outlive the lease, and another node would push it too.
 */
async function pushPage(
  world: World,
  webhook: Webhook,
  events: readonly InboxEvent[],
  turnEnds: number,
): Promise<Webhook | null> {
  let current = webhook
  for (const event of events) {
    if (world.timer.elapsed() >= turnEnds) break
    const outcome = await world.webhooks.push(current, event, world.clock.now())
    await world.failpoints.reach('webhook: pushed')
    if (outcome.kind === 'failed') return noteFailure(world, current, event, outcome.error)
    if (!(await noteArrival(world, current, event))) return null
    current = { ...current, position: event.position, attempts: 0 }
  }
  return current
}

async function noteArrival(world: World, webhook: Webhook, event: InboxEvent): Promise<boolean> {
  const attempts = webhook.attempts + 1
  const noted = await world.store.transaction((tx) =>
    tx.noteDelivered(webhook, event.position, attempts, world.clock.now()),
  )
  if (event.refKind === 'message') await notePushed(world, [event.refId])
  return noted
}

async function noteFailure(world: World, webhook: Webhook, event: InboxEvent, error: string): Promise<Webhook | null> {
  const after = afterFailure(webhook.attempts, world.clock.now())
  if (after.kind === 'try again') {
    await world.store.transaction((tx) => tx.noteFailed(webhook, after.attempts, error, after.at))
    return null
  }
  return giveUp(world, webhook, { position: event.position, attempts: after.attempts, error }, after.waitingSince)
}

/** Later events get attempts of their own. */
async function giveUp(
  world: World,
  webhook: Webhook,
  head: { readonly position: number; readonly attempts: number; readonly error: string },
  waitingSince: number,
): Promise<null> {
  let current = webhook
  for (let more = true, first = true; more; first = false) {
    const given = await world.store.transaction((tx) =>
      tx.giveUpEvents(current, first ? head : null, waitingSince, world.clock.now()),
    )
    current = { ...current, position: given.position, attempts: 0 }
    more = given.more
  }
  world.log.info('events were given up that a webhook did not take', { agent: webhook.agentId })
  await world.store.transaction((tx) => tx.releaseWebhook(current, world.clock.now()))
  return null
}
