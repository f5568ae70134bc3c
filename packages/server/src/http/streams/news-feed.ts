import { SECOND } from '@guildhall/protocol'
import { notePushed } from '../../actions/inbox/read-messages.ts'
import type { InboxNews } from '../../ports/inbox-store.ts'
import type { World } from '../../ports/world.ts'
import type { Listeners } from './listeners.ts'
import type { StreamReader } from './stream-reader.ts'

/** Two batches at once: while one is written to its streams, the store reads for the other. */
const PARTS_AT_ONCE = 2
const PAGE = 20
const LONGEST_PAUSE_MS = 2 * SECOND

export type NewsFeed = {
  /** Serves a new listener, from its position on. */
  begin(reader: StreamReader): void
  forget(reader: StreamReader): void
  close(): void
}

/**
 * Writes new events to the streams. One loop polls for all readers: the cost follows the number of inboxes that moved, however
 * many listen, and is nothing while nobody does. When the store fails events are late; no stream is closed for it.
 */
export function createNewsFeed(
  world: World,
  listeners: Listeners,
  { pollMs, atOnce }: { readonly pollMs: number; readonly atOnce: number },
): NewsFeed {
  const { store, log } = world
  /** Readers to serve: new ones, those whose inbox moved, and those with more events to come. */
  const behind = new Set<StreamReader>()
  let since: string | null = null
  let looking = false
  let closed = false

  async function lookWhileSomebodyListens(): Promise<void> {
    looking = true
    let pause = pollMs
    while (listeners.count > 0 && !closed) {
      try {
        const more = await lookOnce()
        if (pause > pollMs) log.info('events reach their streams again')
        pause = pollMs
        if (more) continue
      } catch (error) {
        if (closed) break
        if (pause === pollMs) log.warn('events cannot be read for the streams', { error: String(error) })
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
    looking = false
    since = null
  }

  /** Whether to look again at once: a reader's page was full, or at least `atOnce` events were read, so more are likely. */
  async function lookOnce(): Promise<boolean> {
    const moved = await store.movedInboxes(since)
    for (const agentId of moved.agentIds) for (const reader of listeners.of(agentId)) behind.add(reader)
    since = moved.next
    const waiting = [...behind].filter(({ keepsUp }) => keepsUp)
    let [read, more] = [0, false]
    const lane = async () => {
      for (let part = waiting.splice(0, atOnce); part.length > 0; part = waiting.splice(0, atOnce)) {
        const news = await lookAfter(part)
        read += news.count
        more ||= news.more
      }
    }
    // Both lanes are awaited even if one fails: readers whose query is still running must not be queried again.
    const lanes = await Promise.allSettled(Array.from({ length: PARTS_AT_ONCE }, lane))
    for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
    return more || read >= atOnce
  }

  /** How many events there were, and whether a reader has more to come. */
  async function lookAfter(part: readonly StreamReader[]): Promise<{ readonly count: number; readonly more: boolean }> {
    const places = part.map(({ agentId, position }) => ({ agentId, after: position }))
    const news = await store.inboxNews(places, PAGE)
    for (const reader of part) behind.delete(reader)
    const written = news.filter(({ reader, event }) => part[reader]?.take(event))
    const full = readersOfFullPages(news)
    for (const place of full) {
      const reader = part[place]
      if (reader !== undefined && listeners.of(reader.agentId).has(reader)) behind.add(reader)
    }
    await noteMessages(written)
    return { count: news.length, more: full.size > 0 }
  }

  /** Messages whose event was written count as delivered; if that cannot be stored now, listing the messages does it later. */
  async function noteMessages(written: readonly InboxNews[]): Promise<void> {
    const ids = written.filter(({ event }) => event.refKind === 'message').map(({ event }) => event.refId)
    await notePushed(world, ids).catch((error) => log.warn('messages were not noted', { error: String(error) }))
  }

  return {
    begin(reader) {
      behind.add(reader)
      if (!looking) void lookWhileSomebodyListens()
    },
    forget: (reader) => void behind.delete(reader),
    close() {
      closed = true
    },
  }
}

/** Indexes of readers whose page was full, so another may follow. */
function readersOfFullPages(news: readonly InboxNews[]): ReadonlySet<number> {
  // News are grouped by reader: a page is full where the same reader appears again PAGE - 1 places on.
  return new Set(
    news.filter(({ reader }, place) => news[place + PAGE - 1]?.reader === reader).map(({ reader }) => reader),
  )
}
