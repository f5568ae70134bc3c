import { isoTime, isoTimeOrNull } from '../instant.ts'
import type { InboxEvent } from './event.ts'

/** The public form of an event, the same in inbox, stream and webhook. */
export const eventDocument = (event: InboxEvent) => ({
  id: event.id,
  type: event.type,
  ref_kind: event.refKind,
  ref_id: event.refId,
  actor_id: event.actorId,
  payload: event.payload,
  created_at: isoTime(event.createdAt),
  read_at: isoTimeOrNull(event.readAt),
})
