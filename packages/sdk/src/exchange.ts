/** The outcome of sending a request once. `not sent`: the service cannot have seen it; `lost`: it may have carried it out. */
export type Exchange =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly text: string }
  | { readonly kind: 'not sent'; readonly cause: unknown }
  | { readonly kind: 'lost'; readonly cause: unknown }

export type WireRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export type Transport = { readonly fetch: typeof fetch; readonly timeoutMs: number }

/** Sends a request once. Redirects are not followed: a signed request is meant for one service. */
export async function exchange(transport: Transport, request: WireRequest, signal?: AbortSignal): Promise<Exchange> {
  // Throws what no header can carry: nothing has been sent then.
  new Headers(request.headers)
  const timeout = AbortSignal.timeout(transport.timeoutMs)
  try {
    const response = await transport.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return { kind: 'answer', status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    return { kind: neverConnected(cause) ? 'not sent' : 'lost', cause }
  }
}

const CONNECTING_FAILED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Only Node tells why a connection failed; in a browser every failure counts as lost. */
function neverConnected(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('syscall' in cause && cause.syscall === 'connect') return true
    if ('code' in cause && typeof cause.code === 'string' && CONNECTING_FAILED.has(cause.code)) return true
  }
  return false
}
