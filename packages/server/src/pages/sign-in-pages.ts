import { EmailAddress } from '@guildhall/protocol'
import {
  checkMailPage,
  confirmPage,
  deadLinkPage,
  privatePageHeaders,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  signInPage,
} from '@guildhall/web'
import { confirmSignIn, lookAtLink } from '../actions/owners/confirm-sign-in.ts'
import { CONFIRM_PATH } from '../actions/owners/issue-sign-in-link.ts'
import { requestSignIn } from '../actions/owners/request-sign-in.ts'
import { signOut } from '../actions/owners/sign-out.ts'
import { consolePath } from '../domain/owner/console-path.ts'
import { networkOf } from '../http/client-ip.ts'
import { type Page, type PageAnswer, type PageContext, seeOther, UNSENT } from '../http/page.ts'
import { ENDED_COOKIE, sessionCookie } from '../http/session-cookie.ts'
import type { SiteContext } from './site-pages.ts'

const CONSOLE = '/console'
const CHECK_MAIL_PATH = '/console/check-mail'

/** How people sign in and out. */
export function signInPages({ world, mailUrl }: SiteContext): readonly Page[] {
  const { serviceName } = world.rules

  function askForAddress({ query, session }: PageContext): PageAnswer {
    const next = consolePath(query.get('next'))
    if (session !== null) return seeOther(next ?? CONSOLE)
    return page(signInPage({ serviceName, next, unsent: query.has(UNSENT) }))
  }

  async function mailLink({ form, session, ip }: PageContext): Promise<PageAnswer> {
    const next = consolePath(form.next)
    const csrfToken = session?.csrfToken ?? null
    const email = EmailAddress.safeParse(form.email ?? '')
    if (!email.success) {
      const problem = email.error.issues[0]?.message
      return page(signInPage({ serviceName, next, csrfToken, email: form.email, problem }), 400)
    }
    await requestSignIn(world, { email: email.data, next, network: networkOf(ip), held: null })
    return seeOther(next === null ? CHECK_MAIL_PATH : `${CHECK_MAIL_PATH}?next=${encodeURIComponent(next)}`)
  }

  const checkMail = ({ query }: PageContext): PageAnswer =>
    page(checkMailPage({ serviceName, mailUrl, next: consolePath(query.get('next')) }))

  async function showLink({ query, session }: PageContext): Promise<PageAnswer> {
    const token = query.get('token') ?? ''
    const link = await lookAtLink(world, token)
    const next = consolePath(query.get('next'))
    if (link === null) return deadLink(next, session)
    const csrfToken = session?.csrfToken ?? null
    return page(confirmPage({ serviceName, action: CONFIRM_PATH, email: link.email, token, next, csrfToken }))
  }

  async function confirmLink({ form, session }: PageContext): Promise<PageAnswer> {
    const done = await confirmSignIn(world, form.token ?? '', session?.session ?? null)
    const next = consolePath(form.next)
    if (done === null) return deadLink(next, session)
    world.nudge()
    return seeOther(done.next ?? next ?? CONSOLE, [sessionCookie(done.token)])
  }

  async function leave({ session }: PageContext): Promise<PageAnswer> {
    if (session !== null) await signOut(world, session)
    return seeOther(SIGN_IN_PATH, [ENDED_COOKIE])
  }

  const deadLink = (next: string | null, session: PageContext['session']): PageAnswer =>
    page(deadLinkPage({ serviceName, next, signedInAs: session?.owner.email ?? null }), 400)

  return [
    { path: SIGN_IN_PATH, session: true, render: askForAddress },
    { path: SIGN_IN_PATH, method: 'POST', render: mailLink },
    { path: CHECK_MAIL_PATH, render: checkMail },
    { path: CONFIRM_PATH, session: true, render: showLink },
    { path: CONFIRM_PATH, method: 'POST', render: confirmLink },
    { path: SIGN_OUT_PATH, method: 'POST', render: leave },
  ]
}

const page = (body: string, status = 200): PageAnswer => ({ status, headers: privatePageHeaders, body })
