import type { InboxEvent } from '../../domain/inbox/event.ts'
import { eventDocument } from '../../domain/inbox/event-document.ts'

const RECONNECT_MS = 1_000

/** Where the reader stands before anything has happened: resuming from here misses nothing. */
export const beginning = (position: number): string => `retry: ${RECONNECT_MS}\nid: ${position}\n\n`

/** One event as server-sent event; JSON has no line breaks of its own. */
export const eventText = (event: InboxEvent): string =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(eventDocument(event))}\n\n`

/** A comment: keeps the connection from looking dead. */
export const HEARTBEAT = ':\n\n'
