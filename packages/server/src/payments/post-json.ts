export type HttpAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** `isTooLarge`: less should be asked for at once. */
  | { readonly kind: 'failed'; readonly cause: string; readonly isTooLarge?: true }

/**
 * Posts JSON and returns the JSON answer within the deadline. Follows no redirect, reads at most the allowed bytes, never throws.
 */
export async function postJson(request: {
  readonly url: string
  readonly body: unknown
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
}): Promise<HttpAnswer> {
  const { url, body, timeoutMs, maxAnswerBytes } = request
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readText(response, maxAnswerBytes)
    if (text === null) return tooLarge(`the answer is larger than ${maxAnswerBytes} bytes`)
    return readAnswer(response.status, text)
  } catch (error) {
    return failed(causeOf(error, timeoutMs))
  }
}

async function readText(response: Response, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function readAnswer(status: number, text: string): HttpAnswer {
  try {
    return { kind: 'answered', status, body: JSON.parse(text) as unknown }
  } catch {
    const cause = `HTTP ${status} without JSON`
    return status === CONTENT_TOO_LARGE ? tooLarge(cause) : failed(cause)
  }
}

/** Our own wording: a library's error message may hold addresses and keys. */
function causeOf(error: unknown, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`
  const { cause } = error as { readonly cause?: { readonly code?: unknown; readonly message?: unknown } }
  if (cause?.message === 'unexpected redirect') return 'the answer is a redirect'
  return typeof cause?.code === 'string' ? `the connection failed (${cause.code})` : 'the connection failed'
}

const CONTENT_TOO_LARGE = 413

const failed = (cause: string): HttpAnswer => ({ kind: 'failed', cause })
const tooLarge = (cause: string): HttpAnswer => ({ kind: 'failed', cause, isTooLarge: true })
