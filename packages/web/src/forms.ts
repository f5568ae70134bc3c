import { CSRF_FIELD } from '@guildhall/protocol'
import { type Html, html } from './html.ts'

/** Proves that a form came from our own page in this session. */
export const csrfField = (token: string | null): Html =>
  token === null ? html`` : html`<input type="hidden" name="${CSRF_FIELD}" value="${token}">`

/** Unique to the form, so that sending it twice counts once. */
export const formIdField = (id: string): Html => html`<input type="hidden" name="form_id" value="${id}">`

/** A form that changes something; `token` is the session's, null while nobody is signed in. */
export const postForm = (action: string, token: string | null, fields: Html, name?: string): Html =>
  html`<form method="post" action="${action}" class="form"${name && html` aria-label="${name}"`}>
${csrfField(token)}
${fields}
</form>`
