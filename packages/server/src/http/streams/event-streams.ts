import type { ServerResponse } from 'node:http'
import { limits, SECOND } from '@guildhall/protocol'
import { notePushed } from '../../actions/inbox/read-messages.ts'
import { refuse } from '../../domain/refusal.ts'
import type { InboxNews } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { createStreamReader, type StreamReader, type StreamRequest } from './stream-reader.ts'

export type EventStreams = {
  /** How many are open. */
  count(): number
  /** Refuses when there is no room; otherwise gives what is to be done with the response. */
  open(request: StreamRequest): (response: ServerResponse) => void
  /** Ends every stream and opens no more. */
  close(): void
}

export type StreamSettings = {
  readonly maxStreams: number
  readonly pollMs?: number
  readonly heartbeatMs?: number
  readonly stuckMs?: number
  readonly lifeMs?: number
  /** How many are looked after with one question to the store. */
  readonly atOnce?: number
}

/** While what one part is told is written, the store reads for the other. */
const PARTS_AT_ONCE = 2
const PAGE = 20
const LONGEST_PAUSE_MS = 2 * SECOND
const RETRY_AFTER_SECONDS = 30

/**
 * All streams of this node. One loop looks for everybody who listens: the cost follows the number of inboxes that moved,
 * however many listen, and is nothing while nobody does. Trouble with the store makes events late; nobody is cut off for it.
 */
export function createEventStreams(world: World, settings: StreamSettings): EventStreams {
  const { store, log } = world
  const { maxStreams, pollMs = 100, heartbeatMs = limits.eventStream.heartbeatMs, atOnce = 1_000 } = settings
  const patience = { stuckMs: settings.stuckMs ?? 30 * SECOND, lifeMs: settings.lifeMs ?? limits.eventStream.lifeMs }
  const readers = new Map<string, Set<StreamReader>>()
  /** Who is to be looked after: those who came, those whose inbox moved, and those who have more to come. */
  const behind = new Set<StreamReader>()
  let open = 0
  let since: string | null = null
  let looking = false
  let closed = false
  let pulse: NodeJS.Timeout | null = null

  function openStream(request: StreamRequest): (response: ServerResponse) => void {
    if (closed || open >= maxStreams) refuse('service_unavailable')
    if ((readers.get(request.agentId)?.size ?? 0) >= limits.eventStream.perAgent)
      refuse('rate_limited', { retry_after_seconds: RETRY_AFTER_SECONDS }, TOO_MANY)
    return (response) => {
      if (response.destroyed || closed) return void response.end()
      const reader = createStreamReader(response, request, patience)
      add(reader)
      response.on('close', () => remove(reader))
      pulse ??= setInterval(tendAll, heartbeatMs)
      if (!looking) void lookWhileSomebodyListens()
    }
  }

  function add(reader: StreamReader): void {
    open++
    behind.add(reader)
    const others = readers.get(reader.agentId)
    if (others) others.add(reader)
    else readers.set(reader.agentId, new Set([reader]))
  }

  function remove(reader: StreamReader): void {
    open--
    behind.delete(reader)
    const others = readers.get(reader.agentId)
    others?.delete(reader)
    if (others?.size === 0) readers.delete(reader.agentId)
  }

  async function lookWhileSomebodyListens(): Promise<void> {
    looking = true
    let pause = pollMs
    while (open > 0 && !closed) {
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

  /** Whether to look again at once: somebody's page was full, or so much was read that there is more on its way. */
  async function lookOnce(): Promise<boolean> {
    const moved = await store.movedInboxes(since)
    for (const agentId of moved.agentIds) for (const reader of readers.get(agentId) ?? []) behind.add(reader)
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
    // Both are waited for, whatever happens: a part that is still read for must not be asked for again.
    const lanes = await Promise.allSettled(Array.from({ length: PARTS_AT_ONCE }, lane))
    for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
    return more || read >= atOnce
  }

  /** How much there was to tell, and whether somebody has more to come. */
  async function lookAfter(part: readonly StreamReader[]): Promise<{ readonly count: number; readonly more: boolean }> {
    const places = part.map(({ agentId, position }) => ({ agentId, after: position }))
    const news = await store.inboxNews(places, PAGE)
    for (const reader of part) behind.delete(reader)
    const written = news.filter(({ reader, event }) => part[reader]?.take(event))
    const full = readersOfFullPages(news)
    for (const place of full) {
      const reader = part[place]
      if (reader !== undefined && readers.get(reader.agentId)?.has(reader)) behind.add(reader)
    }
    await noteMessages(written)
    return { count: news.length, more: full.size > 0 }
  }

  /** Messages whose event was written count as delivered; when that cannot be noted now, a look at the list does it. */
  async function noteMessages(written: readonly InboxNews[]): Promise<void> {
    const ids = written.filter(({ event }) => event.refKind === 'message').map(({ event }) => event.refId)
    await notePushed(world, ids).catch((error) => log.warn('messages were not noted', { error: String(error) }))
  }

  function tendAll(): void {
    const now = performance.now()
    for (const reader of everybody()) reader.tend(now)
    if (open === 0) stopPulse()
  }

  const everybody = () => [...readers.values()].flatMap((some) => [...some])

  function stopPulse(): void {
    if (pulse !== null) clearInterval(pulse)
    pulse = null
  }

  return {
    count: () => open,
    open: openStream,
    close() {
      closed = true
      stopPulse()
      for (const reader of everybody()) reader.end()
    },
  }
}

const TOO_MANY = `An agent has at most ${limits.eventStream.perAgent} streams open at once: close one first.`

/** By their places: a full page may have another behind it. */
function readersOfFullPages(news: readonly InboxNews[]): ReadonlySet<number> {
  // News come reader by reader: a page is full where the same reader has another one so many places on.
  return new Set(
    news.filter(({ reader }, place) => news[place + PAGE - 1]?.reader === reader).map(({ reader }) => reader),
  )
}
