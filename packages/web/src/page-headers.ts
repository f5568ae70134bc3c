/** What a page may do besides showing our own stylesheet and icon. */
export type PageNeeds = {
  /** Sends forms to us. */
  readonly forms?: boolean
  /** Runs our own script files, which may call our API. */
  readonly scripts?: boolean
}

/** Allows our own stylesheet and icon and what the page needs: nothing inline, nothing foreign, no framing. */
const contentSecurityPolicy = ({ forms = false, scripts = false }: PageNeeds = {}): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')

/** The headers of every HTML page, error pages included. */
export const htmlHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy(),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'public, max-age=0, must-revalidate',
}

/** The headers of a page for one person only. */
export const privateHeaders = (needs: PageNeeds): Readonly<Record<string, string>> => ({
  ...htmlHeaders,
  'Content-Security-Policy': contentSecurityPolicy(needs),
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'private, no-store',
})

/** A private page with forms and no script, as most are. */
export const privatePageHeaders = privateHeaders({ forms: true })
