import { endpoints, limits } from '@guildhall/protocol'
import { buildRequest } from './build-request.ts'
import type { Answer, CallOptions, Query } from './call-types.ts'
import { GuildhallError, isGuildhallError } from './guildhall-error.ts'
import type { Identity } from './identity.ts'
import { localErrors } from './local-errors.ts'
import { readAnswer } from './read-answer.ts'
import type { ServerClock } from './server-clock.ts'
import { createEventParser, type ServerSentEvent } from './server-sent-events.ts'
import type { Settings } from './settings.ts'
import { signParts } from './sign-parts.ts'
import { waitingTime } from './waiting-time.ts'

/** An event and its cursor: with a stored cursor you can continue after it, here or in the polled inbox. */
export type StreamedEvent = Answer<'streamEvents'> & { readonly cursor: string }

export type StreamContext = { readonly settings: Settings; readonly clock: ServerClock; readonly identity: Identity }

/** Three heartbeats of the service: a connection silent for longer is dead. */
const SILENCE_MS = 3 * limits.eventStream.heartbeatMs

/** Events as they happen, each once and in order. A lost connection is resumed where it broke off. */
export async function* streamEvents(
  context: StreamContext,
  query: Query<'streamEvents'> = {},
  { signal }: CallOptions = {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  const { settings } = context
  let after = query.after
  let wasOpen = false
  for (let failures = 0; ; ) {
    signal?.throwIfAborted()
    let retryAfter: number | null = null
    const connection = new AbortController()
    const watch = setTimeout(() => connection.abort(tookTooLong()), settings.timeoutMs)
    try {
      const body = await open(context, { ...query, after }, anyOf(signal, connection.signal))
      clearTimeout(watch)
      wasOpen = true
      for await (const block of blocksOf(body, connection)) {
        failures = 0
        after = block.id
        if (block.data !== null) yield { ...(JSON.parse(block.data) as Answer<'streamEvents'>), cursor: block.id }
      }
    } catch (error) {
      signal?.throwIfAborted()
      retryAfter = retryAfterOf(error)
      if (!isPassing(error) || (!wasOpen && failures + 1 >= settings.attempts)) throw error
    } finally {
      clearTimeout(watch)
      connection.abort()
    }
    failures++
    await settings.sleep(waitingTime(failures, retryAfter, settings.random), signal)
  }
}

type Body = ReadableStream<Uint8Array>

/** Opens the stream with a fresh signature; a wrong clock is corrected once. */
async function open(context: StreamContext, query: Query<'streamEvents'>, signal: AbortSignal): Promise<Body> {
  try {
    return await openOnce(context, query, signal)
  } catch (error) {
    if (!isGuildhallError(error, 'timestamp_out_of_range')) throw error
    context.clock.correct(error.fields.server_time)
    return openOnce(context, query, signal)
  }
}

async function openOnce(
  { settings, clock, identity }: StreamContext,
  query: Query<'streamEvents'>,
  signal: AbortSignal,
): Promise<Body> {
  const parts = buildRequest(settings.baseUrl, endpoints.streamEvents, { params: { id: identity.agentId }, query })
  const headers = { Accept: 'text/event-stream', ...signParts(parts, identity.secretKey, clock.nowSeconds()) }
  const response = await settings.fetch(parts.url, { headers, redirect: 'manual', cache: 'no-store', signal })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (response.status === 200 && isStream && response.body !== null) return response.body
  const answer = readAnswer({ status: response.status, headers: response.headers, text: await response.text() })
  throw 'error' in answer ? answer.error : notAStream(response.status)
}

const tookTooLong = (): DOMException => new DOMException('The service did not answer in time.', 'TimeoutError')

const notAStream = (status: number): GuildhallError =>
  new GuildhallError({
    code: 'unexpected_answer',
    message: localErrors.unexpected_answer,
    fields: { body: '' },
    status,
  })

async function* blocksOf(body: Body, connection: AbortController): AsyncGenerator<ServerSentEvent, void, undefined> {
  const parse = createEventParser()
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const watch = setTimeout(() => connection.abort(), SILENCE_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(watch))
    if (done) return
    yield* parse(decoder.decode(value, { stream: true }))
  }
}

/** Broken connections and temporary refusals; anything else is for the caller to fix. */
const isPassing = (error: unknown): boolean =>
  isGuildhallError(error) ? error.retryable || error.status >= 502 : !(error instanceof SyntaxError)

const retryAfterOf = (error: unknown): number | null => (isGuildhallError(error) ? error.retryAfterSeconds : null)

const anyOf = (signal: AbortSignal | undefined, own: AbortSignal): AbortSignal =>
  signal === undefined ? own : AbortSignal.any([signal, own])
