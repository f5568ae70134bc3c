import type { ServerResponse } from 'node:http'
import type { InboxEvent } from '../../domain/inbox/event.ts'
import { beginning, eventText, HEARTBEAT } from './event-text.ts'

export type StreamRequest = { readonly agentId: string; readonly after: number; readonly type: string | null }

/** Somebody who listens to an inbox. What they do not take is not read for them either. */
export type StreamReader = {
  readonly agentId: string
  /** Up to here the inbox has been gone through for them. */
  readonly position: number
  /** Whether they have taken what was written so far. */
  readonly keepsUp: boolean
  /** Whether the event was one for them. */
  take(event: InboxEvent): boolean
  /** Keeps the connection alive, ends it when its time is over, and cuts it when nobody takes anything. */
  tend(nowMs: number): void
  end(): void
}

export type Patience = { readonly stuckMs: number; readonly lifeMs: number }

export function createStreamReader(
  response: ServerResponse,
  { agentId, after, type }: StreamRequest,
  { stuckMs, lifeMs }: Patience,
): StreamReader {
  const openedAt = performance.now()
  let position = after
  let stuckSince: number | null = null
  const write = (text: string) => {
    if (!response.write(text)) stuckSince ??= performance.now()
  }
  response.on('drain', () => {
    stuckSince = null
  })
  // A connection that breaks ends with 'close', like any other.
  response.on('error', () => {})
  write(beginning(after))
  return {
    agentId,
    get position() {
      return position
    },
    get keepsUp() {
      return stuckSince === null
    },
    take(event) {
      position = event.position
      if (type !== null && event.type !== type) return false
      write(eventText(event))
      return true
    },
    tend(nowMs) {
      if (stuckSince !== null && nowMs - stuckSince > stuckMs) response.destroy()
      else if (nowMs - openedAt > lifeMs) response.end()
      else if (stuckSince === null) write(HEARTBEAT)
    },
    end: () => void response.end(),
  }
}
