import { CSRF_FIELD } from '@guildhall/protocol'
import type { Instant } from '../domain/instant.ts'
import { refuse } from '../domain/refusal.ts'
import { type FindSession, signedIn } from './authenticate-owner.ts'
import type { Exchange } from './exchange.ts'
import { decodeForm, decodeSegments, pageQuery } from './parse-call.ts'
import { receiveBody } from './read-body.ts'
import type { PageRoute, Resource } from './resources.ts'
import { withHeaders } from './response-heads.ts'
import type { RoutedRequest } from './routed-request.ts'
import { isSameOrigin } from './same-origin.ts'
import { send, sendRevalidated } from './send.ts'
import { isCsrfToken } from './session-cookie.ts'

export type PageServices = {
  readonly findSession: FindSession
  readonly ownOrigin: string
  readonly now: () => Instant
}

/** The first page that accepts the request; if none does, an endpoint at the same path, else the first page. */
export function pageFor({ pages, endpoints }: Resource, method: string, accept: string): PageRoute | null {
  if (pages.length === 0) return null
  const here = pages.filter(({ page }) => (page.method ?? 'GET') === method)
  const fitting = here.find(({ page }) => page.accepts === undefined || page.accepts(accept))
  return fitting ?? (endpoints.has(method) ? null : (here[0] ?? null))
}

export async function answerPage(
  services: PageServices,
  exchange: Exchange,
  { route, target, segments, ip }: RoutedRequest<PageRoute>,
): Promise<void> {
  const { page, parameters, head } = route
  const { request, requestId } = exchange
  const sends = page.method === 'POST'
  const now = services.now()
  exchange.asPage = page.crossOrigin !== true
  const sameOrigin = isSameOrigin(request.headers, services.ownOrigin)
  if (sends && !sameOrigin) refuse('csrf_failed', {}, FOREIGN)
  const form = sends ? decodeForm(await receiveBody(exchange, 'form')) : {}
  const session = sends || page.session ? await signedIn(services.findSession, request.headers, now) : null
  if (sends && session !== null && !isCsrfToken(session.csrfToken, form[CSRF_FIELD])) refuse('csrf_failed', {}, STALE)
  const answer = await page.render({
    requestId,
    ip,
    now,
    sameOrigin,
    path: target.path,
    query: pageQuery(target.query),
    params: decodeSegments(parameters, segments),
    form,
    session,
  })
  const status = answer.status ?? 200
  const full = withHeaders(head, answer.headers)
  for (const cookie of answer.cookies ?? []) exchange.extra.push('Set-Cookie', cookie)
  const kept = status === 200 && !full.some((text) => text.includes('no-store'))
  if (kept) sendRevalidated(exchange, status, full, answer.body)
  else send(exchange, status, full, answer.body)
}

const FOREIGN = 'The form was sent from another site. Open the page here and send it again.'
const STALE = 'The page is older than your session. Go back, load it again, and send it once more.'
