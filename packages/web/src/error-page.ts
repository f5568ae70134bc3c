import { html } from './html.ts'
import { layout } from './layout.ts'

export type ErrorPageOptions = { readonly serviceName?: string; readonly requestId?: string }

/** A page that says what went wrong and how to go on. */
export function errorPage(status: number, title: string, text: string, options: ErrorPageOptions = {}): string {
  const { serviceName = 'Guildhall', requestId } = options
  return layout({
    serviceName,
    title: `${title} · ${serviceName}`,
    main: html`<section class="notice">
<p class="status">${status}</p>
<h1>${title}</h1>
<p>${text}</p>
${requestId && html`<p>Quote <code>${requestId}</code> when you report this.</p>`}
<p><a href="/">Back to the start</a></p>
</section>`,
  })
}

/** The error page of a refusal, titled by its status. */
export function refusalPage(refusal: {
  readonly status: number
  readonly message: string
  readonly requestId: string
  readonly serviceName: string
}): string {
  const { status, message, requestId, serviceName } = refusal
  return errorPage(status, TITLES[status] ?? 'That did not work', message, { serviceName, requestId })
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'Sign in first',
  403: 'That is not allowed',
  404: 'There is nothing here',
  429: 'Too many tries',
  500: 'Something went wrong on our side',
  503: 'Not right now',
}

export const notFoundPage = (options?: ErrorPageOptions): string =>
  errorPage(404, 'There is nothing here', 'The address may be misspelt, or what was here is gone.', options)
