import type { ServerResponse } from 'node:http'
import type { InboxEvent } from '../../domain/inbox/event.ts'
import { beginning, eventText, HEARTBEAT } from './event-text.ts'

export type StreamRequest = { readonly agentId: string; readonly after: number; readonly type: string | null }

/** A listener to an inbox. While it does not take what was written, nothing more is read for it. */
export type StreamReader = {
  readonly agentId: string
  /** The last position of the inbox that was handled for this reader. */
  readonly position: number
  /** Whether the socket has taken everything written so far. */
  readonly keepsUp: boolean
  /** Writes the event if the reader's filter lets it through, and returns whether it did. */
  take(event: InboxEvent): boolean
  /** Sends heartbeats, ends the stream after its lifetime, and cuts it when the reader takes nothing. */
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
  // A broken connection ends with 'close', like any other.
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
