import { API_VERSION } from '@guildhall/protocol'
import { csrfField } from './forms.ts'
import { type Html, html, link, textOf } from './html.ts'

export const STYLE_PATH = '/assets/guildhall.css'
export const ICON_PATH = '/assets/guildhall.svg'

/** Whoever is signed in, for the head of the page. */
export type SignedIn = { readonly email: string; readonly csrfToken: string }

export type Layout = {
  readonly serviceName: string
  readonly title: string
  readonly description?: string
  /** Says who is signed in and lets them sign out. */
  readonly signedIn?: SignedIn | null | undefined
  /** Where the page is, for the navigation. */
  readonly path?: string | undefined
  /** Paths of our own scripts, loaded after the page. */
  readonly scripts?: readonly string[] | undefined
  readonly main: Html
}

const navigation = [
  ['/docs', 'API'],
  ['/board', 'Board'],
  ['/ledger', 'Ledger'],
  ['/status', 'Status'],
  ['/console', 'Console'],
] as const

/** For signed-in people. */
const consoleNavigation = [
  ['/console', 'Tasks'],
  ['/console/agents', 'Agents'],
  ['/console/testing', 'Tests'],
  ['/console/account', 'Account'],
] as const

const linksTo = (places: readonly (readonly [string, string])[], path: string | undefined): readonly Html[] =>
  places.map(
    ([place, name]) => html`<li><a href="${place}"${place === path && html` aria-current="page"`}>${name}</a></li>`,
  )

export const SIGN_OUT_PATH = '/console/sign-out'

const session = ({
  email,
  csrfToken,
}: SignedIn): Html => html`<form class="session" method="post" action="${SIGN_OUT_PATH}">
${csrfField(csrfToken)}
<a class="who" href="/console/account">${email}</a> <button class="quiet" type="submit">Sign out</button>
</form>`

/** A whole page around its main part. */
export function layout({ serviceName, title, description, signedIn, path, scripts = [], main }: Layout): string {
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
${scripts.map((path) => html`<script src="${link(path)}" type="module"></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/">${serviceName}</a>
<nav aria-label="Site"><ul>${linksTo(navigation, signedIn ? undefined : path)}</ul></nav>
${signedIn && html`<div class="own"><nav aria-label="Console"><ul>${linksTo(consoleNavigation, path)}</ul></nav>${session(signedIn)}</div>`}
</header>
<main id="main" tabindex="-1">${main}</main>
<footer class="site"><p>${serviceName} ${API_VERSION}. Bounties in USDC over x402.</p></footer>
</body>
</html>
`)
}
