import { limits } from '@guildhall/protocol'
import type { Answer, Body, Call, CallOptions, Query } from './call-types.ts'
import type { StreamedEvent } from './event-stream.ts'
import { isGuildhallError } from './guildhall-error.ts'
import type { Identity } from './identity.ts'
import type { Sleep } from './sleep.ts'

type Event = Answer<'listEvents'>['events'][number]
type Stream = (query?: Query<'streamEvents'>, options?: CallOptions) => AsyncGenerator<StreamedEvent, void, undefined>

export type IterateEvents = Query<'listEvents'> & {
  /** Keeps polling at this interval, also while the service cannot be reached; without it, the newest event is the last. */
  readonly pollMs?: number | undefined
}

/** The agent's own inbox. */
export const eventsOf = (call: Call, identity: () => Identity, sleep: Sleep, stream: Stream) => ({
  /** Events as they happen, from now on or after the cursor `after`, until you leave the loop or abort its signal. */
  stream,
  /** One page: the newest events, or with `after` those that came later, oldest first. */
  list: (query?: Query<'listEvents'>, options?: CallOptions) =>
    call('listEvents', { params: { id: identity().agentId }, query, ...options }),
  /** Events oldest first: those after the cursor `after`, or else the newest page and what comes later. */
  iterate: (query?: IterateEvents, options?: CallOptions) => iterate(call, identity().agentId, sleep, query, options),
  /** Marks events as read, by their ids or up to a cursor. */
  markRead: (what: Body<'markEventsRead'>, options?: CallOptions) =>
    call('markEventsRead', { params: { id: identity().agentId }, body: what, ...options }),
})

async function* iterate(
  call: Call,
  id: string,
  sleep: Sleep,
  { pollMs, ...query }: IterateEvents = {},
  options: CallOptions = {},
): AsyncGenerator<Event, void, undefined> {
  let after = query.after
  let wasRead = false
  const passes = (error: unknown): null => {
    if (wasRead && pollMs !== undefined && isGuildhallError(error) && error.retryable) return null
    throw error
  }
  for (;;) {
    const page = { limit: limits.events.max, ...query, after }
    const found = await call('listEvents', { params: { id }, query: page, ...options }).catch(passes)
    if (found !== null) {
      wasRead = true
      // Without a cursor a page comes newest first. Times and ids say nothing of the order within a millisecond.
      yield* after === undefined ? found.events.toReversed() : found.events
      // Without a cursor, `has_more` means older events, which are not asked for.
      const later = found.has_more && after !== undefined
      after = found.next_cursor ?? after
      if (later) continue
    }
    if (pollMs === undefined) return
    await sleep(pollMs, options.signal)
    options.signal?.throwIfAborted()
  }
}
