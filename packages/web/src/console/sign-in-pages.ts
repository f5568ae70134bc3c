import { limits, minutes } from '@guildhall/protocol'
import { csrfField } from '../forms.ts'
import { html, link } from '../html.ts'
import { layout } from '../layout.ts'

type Site = { readonly serviceName: string }

/** Its query parameter `next` is where the person wanted to go. */
export const SIGN_IN_PATH = '/console/sign-in'

/** A new link leads to where the last one would have. */
const askAgainPath = (next: string | null): string =>
  next === null ? SIGN_IN_PATH : `${SIGN_IN_PATH}?next=${encodeURIComponent(next)}`

/** Asks for a mail address. */
export const signInPage = (
  page: Site & {
    readonly next: string | null
    /** A form came from somebody who was not signed in any more. */
    readonly unsent?: boolean
    readonly csrfToken?: string | null
    readonly email?: string | undefined
    readonly problem?: string | undefined
  },
): string =>
  layout({
    serviceName: page.serviceName,
    title: `Sign in · ${page.serviceName}`,
    main: html`<section class="panel">
<h1>Sign in</h1>
${page.unsent && UNSENT}
<p>We mail you a link. There is no password, and no account to make first.</p>
<form class="form" method="post" action="${SIGN_IN_PATH}">
${csrfField(page.csrfToken ?? null)}
${page.next && html`<input type="hidden" name="next" value="${page.next}">`}
<div class="field">
<label for="email">Mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="${limits.owner.email}" value="${page.email ?? ''}"${
      page.problem && html` aria-invalid="true" aria-describedby="problem"`
    }>
${page.problem && html`<p class="wrong" id="problem" role="alert">${page.problem}</p>`}
</div>
<button type="submit">Mail me a link</button>
</form>
</section>`,
  })

const UNSENT = html`<p class="note bad" role="status">You are not signed in any more, so what you sent was not taken. Sign in, and send it again.</p>`

/** Says that a mail is on its way; a sandbox shows where it arrives. */
export const checkMailPage = (page: Site & { readonly mailUrl: string | null; readonly next: string | null }): string =>
  layout({
    serviceName: page.serviceName,
    title: `Check your mail · ${page.serviceName}`,
    main: html`<section class="panel">
<h1>Check your mail</h1>
<p>A link is on its way to you. Open it within ${minutes(limits.owner.linkMs)}, in the browser in which you want to be signed in.</p>
${page.mailUrl && html`<p class="note">This is a sandbox: its mails arrive on <a href="${link(page.mailUrl)}">its mail page</a>.</p>`}
<p>Nothing there? Look in your spam folder, or <a href="${askAgainPath(page.next)}">ask for another link</a>.</p>
</section>`,
  })

/** What a mailed link opens; nobody is signed in yet. */
export const confirmPage = (
  page: Site & {
    readonly action: string
    readonly email: string
    readonly token: string
    readonly next: string | null
    readonly csrfToken: string | null
  },
): string =>
  layout({
    serviceName: page.serviceName,
    title: `Confirm · ${page.serviceName}`,
    main: html`<section class="panel">
<h1>Sign in as ${page.email}?</h1>
<p>Confirm only if you asked for this link yourself.</p>
<form class="form" method="post" action="${page.action}">
${csrfField(page.csrfToken)}
<input type="hidden" name="token" value="${page.token}">
${page.next && html`<input type="hidden" name="next" value="${page.next}">`}
<button type="submit">Sign in</button>
</form>
</section>`,
  })

/** One page for links that were used, have expired, or never existed. Whoever goes back to a link after using it is signed in. */
export const deadLinkPage = (
  page: Site & { readonly next: string | null; readonly signedInAs: string | null },
): string =>
  layout({
    serviceName: page.serviceName,
    title: `This link does not work · ${page.serviceName}`,
    main: html`<section class="panel">
<h1>This link does not work</h1>
<p>A link works once and for ${minutes(limits.owner.linkMs)}, and using one ends the others that were mailed to the same address.</p>
${
  page.signedInAs === null
    ? html`<p><a class="button" href="${askAgainPath(page.next)}">Ask for a new link</a></p>`
    : html`<p>You are signed in as ${page.signedInAs}.</p><p><a class="button" href="${page.next ?? '/console'}">Go to the console</a></p>`
}
</section>`,
  })
