import type { ServerResponse } from 'node:http'
import { limits, SECOND } from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { createListeners } from './listeners.ts'
import { createNewsFeed } from './news-feed.ts'
import { createStreamReader, type StreamRequest } from './stream-reader.ts'

export type EventStreams = {
  /** The number of open streams. */
  count(): number
  /** Refuses when all streams are taken; otherwise returns the function that takes over the response. */
  open(request: StreamRequest): (response: ServerResponse) => void
  /** Ends every stream and refuses new ones. */
  close(): void
}

export type StreamSettings = {
  readonly maxStreams: number
  readonly pollMs?: number
  readonly heartbeatMs?: number
  readonly stuckMs?: number
  readonly lifeMs?: number
  /** Readers per query to the store. */
  readonly atOnce?: number
}

const RETRY_AFTER_SECONDS = 30
const TOO_MANY = `An agent has at most ${limits.eventStream.perAgent} streams open at once: close one first.`

/** All streams of this node: opens and closes them, and keeps them alive; the feed writes their events. */
export function createEventStreams(world: World, settings: StreamSettings): EventStreams {
  const { maxStreams, pollMs = 100, heartbeatMs = limits.eventStream.heartbeatMs, atOnce = 1_000 } = settings
  const patience = { stuckMs: settings.stuckMs ?? 30 * SECOND, lifeMs: settings.lifeMs ?? limits.eventStream.lifeMs }
  const listeners = createListeners()
  const feed = createNewsFeed(world, listeners, { pollMs, atOnce })
  let closed = false
  let pulse: NodeJS.Timeout | null = null

  function tendAll(): void {
    const now = performance.now()
    for (const reader of listeners.all()) reader.tend(now)
    if (listeners.count === 0) stopPulse()
  }

  function stopPulse(): void {
    if (pulse !== null) clearInterval(pulse)
    pulse = null
  }

  return {
    count: () => listeners.count,
    open(request) {
      if (closed || listeners.count >= maxStreams) refuse('service_unavailable')
      if (listeners.of(request.agentId).size >= limits.eventStream.perAgent)
        refuse('rate_limited', { retry_after_seconds: RETRY_AFTER_SECONDS }, TOO_MANY)
      return (response) => {
        if (response.destroyed || closed) return void response.end()
        const reader = createStreamReader(response, request, patience)
        listeners.add(reader)
        response.on('close', () => {
          listeners.remove(reader)
          feed.forget(reader)
        })
        pulse ??= setInterval(tendAll, heartbeatMs)
        feed.begin(reader)
      }
    },
    close() {
      closed = true
      feed.close()
      stopPulse()
      for (const reader of listeners.all()) reader.end()
    },
  }
}
