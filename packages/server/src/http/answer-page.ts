import type { Exchange } from './exchange.ts'
import type { PageContext } from './page.ts'
import { decodeSegments } from './parse-call.ts'
import type { PageRoute, Resource } from './resources.ts'
import { withHeaders } from './response-heads.ts'
import { send, sendRevalidated } from './send.ts'

/** The first page that accepts; where none does, an endpoint at the same path, else the first page. */
export function pageFor({ pages, endpoints }: Resource, accept: string): PageRoute | null {
  const fitting = pages.find(({ page }) => page.accepts === undefined || page.accepts(accept))
  return fitting ?? (endpoints.has('GET') ? null : (pages[0] ?? null))
}

export async function answerPage(
  exchange: Exchange,
  { page, parameters, head }: PageRoute,
  segments: readonly string[],
  context: Omit<PageContext, 'params'>,
): Promise<void> {
  const answer = await page.render({ ...context, params: decodeSegments(parameters, segments) })
  const status = answer.status ?? 200
  const full = withHeaders(head, answer.headers)
  const kept = status === 200 && !full.some((text) => text.includes('no-store'))
  if (kept) sendRevalidated(exchange, status, full, answer.body)
  else send(exchange, status, full, answer.body)
}
