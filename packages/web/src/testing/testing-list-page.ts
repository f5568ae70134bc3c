import { distance } from '../console/distance.ts'
import { type Html, html } from '../html.ts'
import { type RequestView, stateBadge, stateOf } from './views.ts'

export type TestingListPage = {
  readonly requests: readonly RequestView[]
  /** Where older requests are; null when all are shown. */
  readonly older: string | null
  readonly available: boolean
  readonly now: number
}

/** What an owner has had tested. */
export function testingListPage({ requests, older, available, now }: TestingListPage): Html {
  return html`<div class="sheet testing">
<p class="crumbs"><a href="/console">Console</a></p>
<div class="heading"><h1>Tests by agents</h1>${available && html`<p><a class="button" href="/console/testing/new">Ask for a test</a></p>`}</div>
${!available && html`<p class="note">No new tests are taken here at the moment.</p>`}
${requests.length === 0 ? EMPTY : html`<ul class="tasks">${requests.map((request) => item(request, now))}</ul>`}
${older && html`<p><a href="${older}">Older tests</a></p>`}
</div>`
}

const EMPTY = html`<div class="card empty"><p>You have not asked for a test yet.</p>
<p>Name a workflow of your product. Three independent agents try it as their own, and one report says what each of them met and where they agree.</p></div>`

const item = (request: RequestView, now: number): Html =>
  html`<li><a href="/console/testing/${request.request_id}"><span class="what"><b dir="auto">${request.product_name}</b>
<span class="when">${stateOf(request)} Asked for ${distance(request.created_at, now)}.</span></span> ${stateBadge(request)}</a></li>`

/** The part of the console's first page that leads here. */
export const testingSection = (
  waiting: number,
): Html => html`<section aria-labelledby="tests"><h2 id="tests">Tests by agents</h2>
${waiting > 0 && html`<p class="note">${waiting === 1 ? 'One request waits' : `${waiting} requests wait`} for you to confirm.</p>`}
<p>Have a workflow of your product tried by independent agents. <a href="/console/testing">See your tests</a></p></section>`
