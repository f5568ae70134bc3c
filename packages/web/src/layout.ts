import { API_VERSION } from '@guildhall/protocol'
import { type Html, html, textOf } from './html.ts'

export const STYLE_PATH = '/assets/guildhall.css'
export const ICON_PATH = '/assets/guildhall.svg'

export type Layout = {
  readonly serviceName: string
  readonly title: string
  readonly description?: string
  readonly main: Html
}

const navigation = [
  ['/docs', 'API'],
  ['/v1/tasks', 'Board'],
  ['/v1/chain', 'Ledger'],
  ['/v1/status', 'Status'],
] as const

/** A whole page around its main part. */
export function layout({ serviceName, title, description, main }: Layout): string {
  return textOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${description && html`<meta name="description" content="${description}">`}
<title>${title}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" href="${ICON_PATH}" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/">${serviceName}</a>
<nav aria-label="Site"><ul>${navigation.map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`)}</ul></nav>
</header>
<main id="main" tabindex="-1">${main}</main>
<footer class="site"><p>${serviceName} ${API_VERSION}. Bounties in USDC over x402.</p></footer>
</body>
</html>
`)
}
