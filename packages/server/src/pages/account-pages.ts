import { accountPage, privatePageHeaders } from '@guildhall/web'
import { endOtherSessions, endSession } from '../actions/owners/end-session.ts'
import { isoTime } from '../domain/instant.ts'
import { type OwnerPageContext, type Page, type PageAnswer, seeOther, sentByOwner, shownToOwner } from '../http/page.ts'
import { goneAlready } from './gone-already.ts'
import type { SiteContext } from './site-pages.ts'

const ACCOUNT_PATH = '/console/account'

/** Shows an owner's sessions and ends them. */
export function accountPages({ world }: SiteContext): readonly Page[] {
  async function show({ session: { owner, session, csrfToken }, now }: OwnerPageContext): Promise<PageAnswer> {
    const sessions = await world.store.ownerSessions(owner.id, now)
    const body = accountPage({
      serviceName: world.rules.serviceName,
      signedIn: { email: owner.email, csrfToken },
      since: isoTime(owner.createdAt),
      sessions: sessions.map(({ id, createdAt, expiresAt }) => ({
        id,
        since: isoTime(createdAt),
        until: isoTime(expiresAt),
        current: id === session.id,
      })),
    })
    return { headers: privatePageHeaders, body }
  }

  async function end({ session, form }: OwnerPageContext): Promise<PageAnswer> {
    if (form.session === undefined) await endOtherSessions(world, session)
    else await endSession(world, session, form.session).catch(goneAlready)
    return seeOther(ACCOUNT_PATH)
  }

  return [shownToOwner(ACCOUNT_PATH, show), sentByOwner('/console/account/sessions', end)]
}
