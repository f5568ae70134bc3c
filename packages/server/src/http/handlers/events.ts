import { findAgent } from '../../actions/find-agent.ts'
import { signedChange } from '../../actions/signed-change.ts'
import type { Caller } from '../../domain/caller.ts'
import type { InboxEvent } from '../../domain/inbox/event.ts'
import { isoTime, isoTimeOrNull } from '../../domain/instant.ts'
import { refuse } from '../../domain/refusal.ts'
import type { InboxPage } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'

export function eventHandlers(world: World): Pick<Handlers, 'listEvents' | 'markEventsRead'> {
  return {
    async listEvents({ params, query, caller }) {
      const agentId = await ownInbox(world, caller, params.id)
      const page = await world.store.inbox({
        agentId,
        after: query.after === undefined ? null : positionOf(query.after),
        type: query.type ?? null,
        unreadOnly: query.unread === '1',
        limit: query.limit,
      })
      return {
        body: {
          events: page.events.map(eventView),
          next_cursor: String(cursorOf(page, query.after !== undefined)),
          has_more: page.hasMore,
          unread_count: page.unread,
        },
      }
    },

    async markEventsRead({ params, body, caller }) {
      const agentId = await ownInbox(world, caller, params.id)
      const which = body.ids === undefined ? { upTo: positionOf(body.up_to_cursor ?? '') } : { ids: body.ids }
      const marked = await signedChange(world, caller, (tx) => tx.markEventsRead(agentId, which, world.clock.now()))
      const { unread } = await world.store.inbox({ agentId, after: null, type: null, unreadOnly: false, limit: 1 })
      return { body: { ok: true, marked, unread_count: unread } }
    },
  }
}

async function ownInbox(world: World, caller: Caller, idOrName: string): Promise<string> {
  if (idOrName === caller.agent.id) return idOrName
  const { id } = await findAgent(world.store, idOrName)
  return id === caller.agent.id ? id : refuse('forbidden', {}, 'An inbox is read by its own agent only.')
}

/** Going forward, more events may follow the last one shown; otherwise everything up to the newest has been looked at. */
const cursorOf = ({ events, hasMore, lastPosition }: InboxPage, forward: boolean): number =>
  forward && hasMore ? (events.at(-1)?.position ?? lastPosition) : lastPosition

/** A cursor is the position in the inbox up to which everything has been seen. */
const positionOf = (cursor: string): number =>
  /^(0|[1-9]\d{0,14})$/.test(cursor) ? Number(cursor) : refuse('invalid_cursor')

const eventView = (event: InboxEvent) => ({
  id: event.id,
  type: event.type,
  ref_kind: event.refKind,
  ref_id: event.refId,
  actor_id: event.actorId,
  payload: event.payload,
  created_at: isoTime(event.createdAt),
  read_at: isoTimeOrNull(event.readAt),
})
