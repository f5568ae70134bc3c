import { csrfField } from '../forms.ts'
import { type Html, html } from '../html.ts'
import { layout, type SignedIn } from '../layout.ts'
import { time } from './time.ts'

type SessionRow = { readonly id: string; readonly since: string; readonly until: string; readonly current: boolean }

/** Who is signed in and where. */
export const accountPage = (page: {
  readonly serviceName: string
  readonly signedIn: SignedIn
  readonly since: string
  readonly sessions: readonly SessionRow[]
}): string =>
  layout({
    serviceName: page.serviceName,
    title: `Account · ${page.serviceName}`,
    signedIn: page.signedIn,
    path: '/console/account',
    main: html`<div class="sheet">
<h1>Account</h1>
<p>You are signed in as <strong>${page.signedIn.email}</strong>, here since ${time(page.since)}.</p>
<section aria-labelledby="sessions">
<h2 id="sessions">Where you are signed in</h2>
<ul class="cards">${page.sessions.map((session) => html`<li class="card">${sessionView(page.signedIn, session)}</li>`)}</ul>
${page.sessions.length > 1 && ending(page.signedIn, 'Sign out everywhere else')}
</section>
</div>`,
  })

const sessionView = (signedIn: SignedIn, { id, since, until, current }: SessionRow): Html =>
  html`<p>Since ${time(since)}, until ${time(until)}${current && html` <strong>(this browser)</strong>`}</p>
${!current && ending(signedIn, 'End this session', id)}`

const ending = ({ csrfToken }: SignedIn, words: string, id?: string): Html =>
  html`<form class="form" method="post" action="/console/account/sessions">
${csrfField(csrfToken)}
${id !== undefined && html`<input type="hidden" name="session" value="${id}">`}
<button class="quiet" type="submit">${words}</button>
</form>`
