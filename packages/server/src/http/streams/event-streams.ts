import type { ServerResponse } from 'node:http'
import { limits, SECOND } from '@guildhall/protocol'
import { notePushed } from '../../actions/read-messages.ts'
import { refuse } from '../../domain/refusal.ts'
import type { InboxNews } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { createStreamReader, type StreamReader, type StreamRequest } from './stream-reader.ts'

export type EventStreams = {
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
}

const AT_ONCE = 1_000
const PAGE = 20
const LONGEST_PAUSE_MS = 2 * SECOND
const RETRY_AFTER_SECONDS = 30

/**
 * All streams of this node. One loop looks for everybody who listens: the cost follows the number of inboxes that moved, and
 * is nothing while nobody listens. Trouble with the store makes events late; nobody is cut off for it.
 */
export function createEventStreams(world: World, settings: StreamSettings): EventStreams {
  const { store, log } = world
  const { maxStreams, pollMs = 200, heartbeatMs = limits.eventStream.heartbeatMs } = settings
  const patience = { stuckMs: settings.stuckMs ?? 30 * SECOND, lifeMs: settings.lifeMs ?? limits.eventStream.lifeMs }
  const readers = new Set<StreamReader>()
  const perAgent = new Map<string, number>()
  let looking = false
  let closed = false
  let pulse: NodeJS.Timeout | null = null

  function open(request: StreamRequest): (response: ServerResponse) => void {
    if (closed || readers.size >= maxStreams) refuse('service_unavailable')
    if ((perAgent.get(request.agentId) ?? 0) >= limits.eventStream.perAgent)
      refuse('rate_limited', { retry_after_seconds: RETRY_AFTER_SECONDS }, TOO_MANY)
    return (response) => {
      if (response.destroyed || closed) return void response.end()
      const reader = createStreamReader(response, request, patience)
      readers.add(reader)
      count(reader.agentId, 1)
      response.on('close', () => {
        readers.delete(reader)
        count(reader.agentId, -1)
      })
      pulse ??= setInterval(tendAll, heartbeatMs)
      if (!looking) void lookWhileSomebodyListens()
    }
  }

  function count(agentId: string, change: number): void {
    const streams = (perAgent.get(agentId) ?? 0) + change
    if (streams === 0) perAgent.delete(agentId)
    else perAgent.set(agentId, streams)
  }

  async function lookWhileSomebodyListens(): Promise<void> {
    looking = true
    let pause = pollMs
    while (readers.size > 0 && !closed) {
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
  }

  /** Whether somebody has more to come. */
  async function lookOnce(): Promise<boolean> {
    let more = false
    const listening = [...readers].filter(({ keepsUp }) => keepsUp)
    for (let from = 0; from < listening.length; from += AT_ONCE) {
      const part = listening.slice(from, from + AT_ONCE)
      const places = part.map(({ agentId, position }) => ({ agentId, after: position }))
      const news = await store.inboxNews(places, PAGE)
      const written = news.filter(({ reader, event }) => part[reader]?.take(event))
      await noteMessages(written)
      more ||= isFull(news)
    }
    return more
  }

  /** Messages whose event was written count as delivered; when that cannot be noted now, a look at the list does it. */
  async function noteMessages(written: readonly InboxNews[]): Promise<void> {
    const ids = written.filter(({ event }) => event.refKind === 'message').map(({ event }) => event.refId)
    await notePushed(world, ids).catch((error) => log.warn('messages were not noted', { error: String(error) }))
  }

  function tendAll(): void {
    const now = performance.now()
    for (const reader of readers) reader.tend(now)
    if (readers.size === 0) stopPulse()
  }

  function stopPulse(): void {
    if (pulse !== null) clearInterval(pulse)
    pulse = null
  }

  return {
    open,
    close() {
      closed = true
      stopPulse()
      for (const reader of readers) reader.end()
    },
  }
}

const TOO_MANY = `An agent has at most ${limits.eventStream.perAgent} streams open at once: close one first.`

/** News come reader by reader, so that a full page shows in the distance between two of one reader's. */
const isFull = (news: readonly InboxNews[]): boolean =>
  news.some(({ reader }, place) => news[place + PAGE - 1]?.reader === reader)
