import { SIGN_IN_PATH } from '@guildhall/web'
import type { OwnerCaller } from '../domain/owner/owner.ts'
import type { CallContext } from './handler.ts'

export type PageContext = Omit<CallContext, 'header'> & {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The fields of the form that was sent; none at a GET. */
  readonly form: Readonly<Record<string, string>>
  /** The signed-in owner, if the page asks for it. */
  readonly session: OwnerCaller | null
}

/** For pages that only signed-in owners see. */
export type OwnerPageContext = PageContext & { readonly session: OwnerCaller }

export type PageAnswer = {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** Whole Set-Cookie values. */
  readonly cookies?: readonly string[]
  readonly body: string | Uint8Array
}

/** The path of the page for unknown paths. */
export const NOWHERE = '*'

/**
 * A readable resource that is no endpoint: HTML, Markdown, a descriptor. Several may share a path and differ in what they accept.
 */
export type Page = {
  readonly path: string
  /** A POST takes a form of our own pages; with a session it needs the session's token in the field `csrf`. */
  readonly method?: 'GET' | 'POST'
  /** Whether this page answers the given Accept header; a page without it answers all. */
  readonly accepts?: (accept: string) => boolean
  /** Scripts of any origin may read it. */
  readonly crossOrigin?: boolean
  /** Whether the page receives the session. A POST always does. */
  readonly session?: boolean
  readonly render: (context: PageContext) => PageAnswer | Promise<PageAnswer>
}

/** Redirects after a POST, so that a reload does not send the form again. */
export const seeOther = (location: string, cookies: readonly string[] = []): PageAnswer => ({
  status: 303,
  headers: { Location: location },
  cookies,
  body: '',
})

/** A page for signed-in owners; others are sent to the sign-in page, and back from there unless they had sent a form. */
export const requireOwner =
  (render: (context: OwnerPageContext) => PageAnswer | Promise<PageAnswer>) =>
  (context: PageContext): PageAnswer | Promise<PageAnswer> =>
    context.session === null ? seeOther(signInPath(context)) : render({ ...context, session: context.session })

type OwnerRender = Parameters<typeof requireOwner>[0]

/** A page that a signed-in owner looks at. */
export const shownToOwner = (path: string, render: OwnerRender): Page => ({
  path,
  session: true,
  render: requireOwner(render),
})

/** A form that a signed-in owner sends. */
export const sentByOwner = (path: string, render: OwnerRender): Page => ({
  path,
  method: 'POST',
  render: requireOwner(render),
})

/** With this in its query, the sign-in page says that a form was not taken. */
export const UNSENT = 'unsent'

function signInPath({ path, query, form }: PageContext): string {
  if (Object.keys(form).length > 0) return `${SIGN_IN_PATH}?${UNSENT}=yes`
  return `${SIGN_IN_PATH}?next=${encodeURIComponent(query.size === 0 ? path : `${path}?${query}`)}`
}
