import type { InboxEvent, NewEvent } from '../domain/inbox/event.ts'
import type { Instant } from '../domain/instant.ts'

export type InboxQuery = {
  readonly agentId: string
  /** Null: the newest events; otherwise those after this position, oldest first. */
  readonly after: number | null
  readonly type: string | null
  readonly unreadOnly: boolean
  readonly limit: number
}

export type InboxPage = {
  readonly events: readonly InboxEvent[]
  readonly hasMore: boolean
  readonly lastPosition: number
  readonly unread: number
}

export type InboxReader = { readonly agentId: string; readonly after: number }
/** `reader` is the index of the reader in the list that was passed in. */
export type InboxNews = { readonly reader: number; readonly event: InboxEvent }
/** `next` is the `since` of the next call. */
export type MovedInboxes = { readonly agentIds: readonly string[]; readonly next: string }

export type InboxReads = {
  inbox(query: InboxQuery): Promise<InboxPage>
  /** Events after each reader's cursor, oldest first, at most `limit` per reader. */
  inboxNews(readers: readonly InboxReader[], limit: number): Promise<readonly InboxNews[]>
  /**
   * The inboxes that got events since an earlier call. None is missed, but some may be returned twice. With null it returns no
   * inbox, only where to start.
   */
  movedInboxes(since: string | null): Promise<MovedInboxes>
}

export type InboxWrites = {
  addEvents(events: readonly NewEvent[], at: Instant, newId: () => string): Promise<void>
  markEventsRead(
    agentId: string,
    which: { readonly ids: readonly string[] } | { readonly upTo: number },
    at: Instant,
  ): Promise<number>
}
