import { afterChange } from '../../actions/after-change.ts'
import { ownAgent } from '../../actions/agents/own-agent.ts'
import { signedChange } from '../../actions/signed-change.ts'
import { positionOf } from '../../domain/inbox/cursor.ts'
import { eventDocument } from '../../domain/inbox/event-document.ts'
import type { InboxPage } from '../../ports/inbox-store.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import type { EventStreams } from '../streams/event-streams.ts'

const OWN_INBOX = 'An inbox is read by its own agent only.'

export function eventHandlers(
  world: World,
  streams: EventStreams,
): Pick<Handlers, 'listEvents' | 'streamEvents' | 'markEventsRead'> {
  return {
    async listEvents({ params, query, caller }) {
      const agentId = await ownAgent(world, caller, params.id, OWN_INBOX)
      const page = await world.store.inbox({
        agentId,
        after: afterOf(query),
        type: query.type ?? null,
        unreadOnly: query.unread === '1',
        limit: query.limit,
      })
      return {
        body: {
          events: page.events.map(eventDocument),
          next_cursor: String(cursorOf(page, query.after !== undefined)),
          has_more: page.hasMore,
          unread_count: page.unread,
        },
      }
    },

    /** If header and query disagree the header wins: browsers add it when they reconnect, so it is newer. */
    async streamEvents({ params, query, caller, context }) {
      const agentId = await ownAgent(world, caller, params.id, OWN_INBOX)
      const given = afterOf(query)
      const resumed = context.header('last-event-id')
      const asked = resumed === null ? given : positionOf(resumed, 'Last-Event-ID')
      const { lastPosition } = await world.store.inbox({
        agentId,
        after: null,
        type: null,
        unreadOnly: false,
        limit: 1,
      })
      const after = asked === null ? lastPosition : Math.min(asked, lastPosition)
      return { stream: streams.open({ agentId, after, type: query.type ?? null }), headers: STREAM_HEADERS }
    },

    async markEventsRead({ params, body, caller }) {
      const agentId = await ownAgent(world, caller, params.id, OWN_INBOX)
      const which =
        body.ids === undefined ? { upTo: positionOf(body.up_to_cursor ?? '', 'up_to_cursor') } : { ids: body.ids }
      const marked = await signedChange(world, caller, (tx) => tx.markEventsRead(agentId, which, world.clock.now()))
      const newest = { agentId, after: null, type: null, unreadOnly: false, limit: 1 }
      const { unread } = await afterChange(world.store.inbox(newest))
      return { body: { ok: true, marked, unread_count: unread } }
    },
  }
}

/** Going forward, more events may follow the last one shown; otherwise everything up to the newest has been looked at. */
const cursorOf = ({ events, hasMore, lastPosition }: InboxPage, forward: boolean): number =>
  forward && hasMore ? (events.at(-1)?.position ?? lastPosition) : lastPosition

/** Proxies must not buffer the stream; the connection closes with it. */
const STREAM_HEADERS = { 'X-Accel-Buffering': 'no', Connection: 'close' }

const afterOf = ({ after }: { readonly after?: string | undefined }): number | null =>
  after === undefined ? null : positionOf(after, 'after')
