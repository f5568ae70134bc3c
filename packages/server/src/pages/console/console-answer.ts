import { type Html, layout, privateHeaders } from '@guildhall/web'
import type { OwnerPageContext, PageAnswer } from '../../http/page.ts'
import type { World } from '../../ports/world.ts'

type ConsolePage = {
  readonly title: string
  readonly main: Html
  readonly status?: number
  readonly scripts?: readonly string[]
}

/** A page of the console, for the one person who is signed in. */
export function consoleAnswer({ rules }: World, { session, path }: OwnerPageContext, page: ConsolePage): PageAnswer {
  const { title, main, status = 200, scripts = [] } = page
  const { serviceName } = rules
  return {
    status,
    headers: privateHeaders({ forms: true, scripts: scripts.length > 0 }),
    body: layout({
      serviceName,
      title: `${title} · ${serviceName}`,
      signedIn: { email: session.owner.email, csrfToken: session.csrfToken },
      path,
      scripts,
      main,
    }),
  }
}

/** What the page's forms and times need to know of its visitor. */
export const visitorOf = ({ session: { owner, csrfToken }, now }: OwnerPageContext) => ({
  email: owner.email,
  csrfToken,
  now,
})
