import type { OwnerCaller } from '../domain/owner/owner.ts'
import type { CallContext } from './handler.ts'

export type PageContext = Omit<CallContext, 'header'> & {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The fields of the form that was sent; none at a GET. */
  readonly form: Readonly<Record<string, string>>
  /** Whoever is signed in, where the page asks to know. */
  readonly session: OwnerCaller | null
}

/** For a page that only signed-in owners come to. */
export type OwnerPageContext = PageContext & { readonly session: OwnerCaller }

export type PageAnswer = {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** Whole Set-Cookie values. */
  readonly cookies?: readonly string[]
  readonly body: string | Uint8Array
}

/** The path of a page for whoever asks for a path at which there is nothing. */
export const NOWHERE = '*'

/** Where people sign in; `next` in its query is where they wanted to go. */
export const SIGN_IN_PATH = '/console/sign-in'

/** Something to read that is no endpoint: HTML, Markdown, a descriptor. Several may share a path and differ in what they accept. */
export type Page = {
  readonly path: string
  /** A POST takes a form of our own pages; when somebody is signed in, with the session's token in the field `csrf`. */
  readonly method?: 'GET' | 'POST'
  /** Whether this page answers the given Accept header; a page without it answers all. */
  readonly accepts?: (accept: string) => boolean
  /** Scripts of any origin may read it. */
  readonly crossOrigin?: boolean
  /** Whether the page is told who is signed in. A POST is always told. */
  readonly session?: boolean
  readonly render: (context: PageContext) => PageAnswer | Promise<PageAnswer>
}

/** Leads the browser on; what was sent is not sent again when the page is reloaded. */
export const seeOther = (location: string, cookies: readonly string[] = []): PageAnswer => ({
  status: 303,
  headers: { Location: location },
  cookies,
  body: '',
})

/** A page for signed-in owners; everybody else is led to where one signs in, and from there back to a page that was only looked at. */
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

function signInPath({ path, query, form }: PageContext): string {
  if (Object.keys(form).length > 0) return SIGN_IN_PATH
  return `${SIGN_IN_PATH}?next=${encodeURIComponent(query.size === 0 ? path : `${path}?${query}`)}`
}
