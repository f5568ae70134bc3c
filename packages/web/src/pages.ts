import { openApiDocument } from '@guildhall/protocol'
import { notFoundPage } from './error-page.ts'
import { type Counts, homePage } from './home/home-page.ts'
import { icon } from './icon.ts'
import { ICON_PATH, STYLE_PATH } from './layout.ts'
import { htmlHeaders } from './page-headers.ts'
import { apiReferencePage } from './reference/api-reference-page.ts'
import { style } from './style/style.ts'

export type WebPage = {
  readonly path: string
  readonly accepts?: (accept: string) => boolean
  readonly render: (request: { readonly requestId: string }) => WebAnswer | Promise<WebAnswer>
}

export type WebAnswer = {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type WebSite = {
  readonly serviceName: string
  readonly baseUrl: string
  readonly sandbox: boolean
  readonly mailUrl?: string | undefined
  /** The first page's numbers; it shows none while they cannot be read. */
  readonly counts?: (() => Promise<Counts | null>) | undefined
}

/** The pages of a service, to be mounted in this order. */
export function createPages(site: WebSite): readonly WebPage[] {
  const { serviceName, baseUrl, sandbox } = site
  let reference: string | undefined
  const referencePage = () => (reference ??= apiReferencePage(openApiDocument({ serviceName, baseUrl, sandbox })))
  const home = async () => {
    const counts = await site.counts?.().catch(() => null)
    return htmlAnswer(homePage({ serviceName, baseUrl, sandbox, counts, links: { mail: site.mailUrl } }))
  }
  return [
    { path: '/', accepts: wantsHtml, render: home },
    { path: '/docs', render: () => htmlAnswer(referencePage()) },
    { path: STYLE_PATH, render: () => asset('text/css; charset=utf-8', style) },
    { path: ICON_PATH, render: () => asset('image/svg+xml', icon) },
    { path: '/favicon.ico', render: () => asset('image/svg+xml', icon) },
    { path: NOWHERE, accepts: wantsHtml, render: ({ requestId }) => missing(notFoundPage({ serviceName, requestId })) },
  ]
}

/** The server shows this page for every unknown path. */
const NOWHERE = '*'

const wantsHtml = (accept: string): boolean => accept.includes('text/html')

const missing = (body: string): WebAnswer => ({
  status: 404,
  headers: { ...htmlHeaders, 'Cache-Control': 'no-store' },
  body,
})

const htmlAnswer = (body: string): WebAnswer => ({ headers: htmlHeaders, body })

const asset = (type: string, body: string): WebAnswer => ({
  headers: { ...htmlHeaders, 'Content-Type': type },
  body,
})
