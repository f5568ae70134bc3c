import type { InboxEvent } from '../../domain/inbox/event.ts'
import { eventDocument } from '../../domain/inbox/event-document.ts'

const RECONNECT_MS = 1_000

/** The reader's position before any event: resuming from here misses nothing. */
export const beginning = (position: number): string => `retry: ${RECONNECT_MS}\nid: ${position}\n\n`

/** One event as server-sent event; JSON has no line breaks of its own. */
export const eventText = (event: InboxEvent): string =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(eventDocument(event))}\n\n`

/** A comment, so that the connection does not look dead. */
export const HEARTBEAT = ':\n\n'
