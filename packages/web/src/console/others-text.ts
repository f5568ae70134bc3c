import { type Html, html, link } from '../html.ts'

/** What somebody else wrote: shown as written, never as HTML. */
export const othersText = (text: string): Html => html`<div class="others" dir="auto">${text}</div>`

/** An address that somebody else gave: shown in full, with its host in punycode. */
export function othersLink(address: string): Html {
  const shown = spelledOut(address)
  return html`<a class="others-link" href="${link(shown)}" rel="noopener noreferrer nofollow ugc" target="_blank">${shown}</a>`
}

function spelledOut(address: string): string {
  return URL.canParse(address) ? new URL(address).href : address
}
