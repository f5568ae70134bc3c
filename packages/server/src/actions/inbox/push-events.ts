import { limits, MINUTE, SECOND } from '@guildhall/protocol'
import type { InboxEvent } from '../../domain/inbox/event.ts'
import { isGivenUp, nextAttemptAt, restUntil } from '../../domain/webhook/after-failure.ts'
import type { WaitingEvent, Webhook } from '../../domain/webhook/webhook.ts'
import type { World } from '../../ports/world.ts'
import { notePushed } from './read-messages.ts'
import { newSalt } from './rotate-webhook-secret.ts'

const LEASE_MS = 2 * MINUTE
const TURN_MS = 30 * SECOND
const PAGE = 20

/**
 * Pushes an agent's new events in inbox order, then those that are to be tried again, until its address has to rest, the turn is
 * over or the node stops. An address may take ten seconds per event: a turn that went on would outlive the lease, and another node
 * would push too. After a crash an event that has arrived may be pushed again, under the same id; its delivery is recorded once.
 */
export async function pushEvents(world: World, agentId: string, isStopping = () => false): Promise<void> {
  const now = world.clock.now()
  const leased = await world.store.transaction((tx) => tx.leaseWebhook(agentId, now, now + LEASE_MS, newSalt(world)))
  if (!leased) return
  const turnEnds = world.timer.elapsed() + TURN_MS
  const isOver = () => world.timer.elapsed() >= turnEnds || isStopping()
  let webhook: Webhook | null = leased
  while (webhook !== null && !isOver()) {
    webhook = await pushPage(world, webhook, await waitingEvents(world, webhook), isOver)
  }
  await world.store.transaction((tx) => tx.releaseWebhook(leased, world.clock.now()))
}

const NEW = { type: null, unreadOnly: false, limit: PAGE } as const

async function waitingEvents({ store, clock }: World, webhook: Webhook): Promise<readonly WaitingEvent[]> {
  const { events } = await store.inbox({ ...NEW, agentId: webhook.agentId, after: webhook.position })
  if (events.length > 0) return events.map((event) => ({ event, attempts: 0 }))
  return store.dueRetries(webhook.agentId, clock.now(), PAGE)
}

/** The webhook after the page; null when nothing waits, the address has to rest, or the lease was lost. */
async function pushPage(
  world: World,
  webhook: Webhook,
  waiting: readonly WaitingEvent[],
  isOver: () => boolean,
): Promise<Webhook | null> {
  let current = waiting.length > 0 ? webhook : null
  for (const one of waiting) {
    if (current === null || isOver()) break
    current = await pushEvent(world, current, one)
  }
  return current
}

async function pushEvent(world: World, webhook: Webhook, waiting: WaitingEvent): Promise<Webhook | null> {
  const { event } = waiting
  const attempts = waiting.attempts + 1
  const outcome = await world.webhooks.push(webhook, event, world.clock.now())
  await world.failpoints.reach('webhook: pushed')
  const position = Math.max(webhook.position, event.position)
  if (outcome.kind === 'failed') return noteFailure(world, { ...webhook, position }, event, attempts, outcome.error)
  return (await noteArrival(world, webhook, event, attempts)) ? { ...webhook, position, failures: 0 } : null
}

async function noteArrival(world: World, webhook: Webhook, event: InboxEvent, attempts: number): Promise<boolean> {
  const noted = await world.store.transaction((tx) =>
    tx.noteDelivered(webhook, event.position, attempts, world.clock.now()),
  )
  if (event.refKind === 'message') await notePushed(world, [event.refId])
  return noted
}

async function noteFailure(
  world: World,
  webhook: Webhook,
  { position }: InboxEvent,
  attempts: number,
  error: string,
): Promise<Webhook | null> {
  const now = world.clock.now()
  const failures = webhook.failures + 1
  const rest = restUntil(failures, now)
  const again = nextAttemptAt(attempts, now)
  const noted = await world.store.transaction((tx) =>
    again === null
      ? tx.noteGivenUp(webhook, { position, attempts, error, at: now }, { failures, until: rest })
      : tx.noteFailed(webhook, { position, attempts, error, nextAttemptAt: again }, { failures, until: rest }),
  )
  if (again === null) noteLoss(world, webhook)
  if (rest !== null && isGivenUp(failures)) await giveUpOld(world, webhook)
  return noted && rest === null ? { ...webhook, failures } : null
}

async function giveUpOld(world: World, webhook: Webhook): Promise<void> {
  for (let more = true; more; ) {
    const now = world.clock.now()
    const given = await world.store.transaction((tx) =>
      tx.giveUpEvents(webhook, now - limits.webhook.givenUpAfterMs, now),
    )
    if (given.count > 0) noteLoss(world, webhook)
    more = given.more
  }
}

const noteLoss = ({ log }: World, { agentId }: Webhook): void =>
  log.info('events were given up that a webhook did not take', { agent: agentId })
