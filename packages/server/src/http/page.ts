import type { CallContext } from './handler.ts'

export type PageContext = Omit<CallContext, 'header'> & {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

export type PageAnswer = {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** The path of a page for whoever asks for a path at which there is nothing. */
export const NOWHERE = '*'

/** Something to read that is no endpoint: HTML, Markdown, a descriptor. Several may share a path and differ in what they accept. */
export type Page = {
  readonly path: string
  /** Whether this page answers the given Accept header; a page without it answers all. */
  readonly accepts?: (accept: string) => boolean
  /** Scripts of any origin may read it. */
  readonly crossOrigin?: boolean
  readonly render: (context: PageContext) => PageAnswer | Promise<PageAnswer>
}
