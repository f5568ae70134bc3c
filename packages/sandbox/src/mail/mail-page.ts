import { createHash } from 'node:crypto'
import type { Mail } from './mail.ts'

const style =
  'body{font-family:sans-serif;max-width:50rem;margin:1rem auto;padding:0 1rem;overflow-wrap:anywhere}pre{white-space:pre-wrap}'

/** Allows nothing but the page's own style. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page that shows every mail in plain HTML. */
export function mailPage(mails: readonly Mail[]): string {
  const body =
    mails.length === 0
      ? '<p>No mail yet. A mail takes a moment to arrive: load this page again.</p>'
      : mails.map(article).join('\n')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Mail</title><style>${style}</style></head>
<body><main>
<h1>Mail</h1>
${body}
</main></body>
</html>
`
}

function article(mail: Mail): string {
  return `<article id="mail-${mail.id}">
<h2>${escapeHtml(mail.subject)}</h2>
<p>To: ${escapeHtml(mail.to.join(', '))}<br>From: ${escapeHtml(mail.from)}${mail.date === null ? '' : `<br>Date: ${escapeHtml(mail.date)}`}</p>
<pre>${withLinks(mail.text)}</pre>
</article>`
}

const WEB_ADDRESS = /\bhttps?:\/\/[^\s<>"'`]+/g

function withLinks(text: string): string {
  let html = ''
  let done = 0
  for (const { 0: match, index } of text.matchAll(WEB_ADDRESS)) {
    const address = withoutSentenceEnd(match)
    const link = escapeHtml(address)
    html += `${escapeHtml(text.slice(done, index))}<a href="${link}" rel="noreferrer">${link}</a>`
    done = index + address.length
  }
  return html + escapeHtml(text.slice(done))
}

function withoutSentenceEnd(address: string): string {
  let end = address.length
  while ('.,;:!?)]}'.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
