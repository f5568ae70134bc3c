import type { ServerResponse } from 'node:http'
import type { Auth, Endpoint, Endpoints } from '@guildhall/protocol'
import type { z } from 'zod'
import type { Manager } from '../actions/hires/manage-hire.ts'
import type { Caller } from '../domain/caller.ts'
import type { HeldKey } from '../domain/idempotency/held-key.ts'
import type { Instant } from '../domain/instant.ts'
import type { OwnerCaller } from '../domain/owner/owner.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Document } from './documents/document.ts'

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T
type CallerOf<A extends Auth> = A extends 'agent'
  ? Caller
  : A extends 'manage'
    ? Manager
    : A extends 'owner'
      ? OwnerCaller
      : A extends 'none'
        ? null
        : Caller | null

export type CallContext = {
  readonly requestId: string
  readonly ip: string
  readonly now: Instant
  /** The raw path of the request line, without the query. */
  readonly path: string
  /** Whether the request may come from one of our own pages. */
  readonly sameOrigin: boolean
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | null
}

// biome-ignore lint/style/useConsistentTypeDefinitions: TypeScript compares interfaces by their fields, and so not by their endpoint.
interface CallOf<Params, Query, Body, By> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: By
  /** The text of PAYMENT-SIGNATURE; null where none was sent or the endpoint takes none. */
  readonly payment: string | null
  /** The Idempotency-Key of the request, to be marked in the transaction of the change; a caller object carries it as well. */
  readonly held: HeldKey | null
  readonly context: CallContext
}

/** A request as its endpoint declares it: authenticated, parsed, in wire names. */
export type Call<E extends Endpoint = Endpoint> = CallOf<
  Parsed<Exclude<E['params'], undefined>>,
  Parsed<Exclude<E['query'], undefined>>,
  Parsed<Exclude<E['body'], undefined>>,
  CallerOf<E['auth']>
>

type AnswerHead = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Whole Set-Cookie values. */
  readonly cookies?: readonly string[]
}
export type JsonAnswer<E extends Endpoint = Endpoint> = AnswerHead & { readonly body: Frozen<z.output<E['returns']>> }
/** A public document, already rendered and sent as it is. */
export type DocumentAnswer<E extends Endpoint = Endpoint> = AnswerHead & {
  readonly document: Document<JsonAnswer<E>['body']>
}
/** A streamed answer: the head is sent, and the stream writes the rest. */
export type StreamAnswer = AnswerHead & { readonly stream: (response: ServerResponse) => void }

/** A frequent refusal: the same as a thrown one, without the cost of an exception. */
export type RefusedAnswer = { readonly refused: Refusal }

/** What an endpoint for browsers answers with: a whole HTML page, or a redirection without one. */
export type HtmlAnswer = AnswerHead & { readonly page: string }

export type Answer<E extends Endpoint = Endpoint> = E extends { readonly page: true }
  ? HtmlAnswer
  : JsonAnswer<E> | DocumentAnswer<E> | StreamAnswer | RefusedAnswer

/** Refuses by throwing a Refusal, or by returning it. */
export type Handler<E extends Endpoint = Endpoint> = (call: Call<E>) => Promise<Answer<E>>

export type Declarations = Readonly<Record<string, Endpoint>>
type SandboxOnly<D extends Declarations> = {
  [K in keyof D]: D[K] extends { readonly sandboxOnly: true } ? K : never
}[keyof D]

/** One handler for every endpoint; those of the sandbox may be left out where it does not run. */
export type HandlersOf<D extends Declarations> = {
  readonly [K in Exclude<keyof D, SandboxOnly<D>>]: Handler<D[K]>
} & { readonly [K in SandboxOnly<D>]?: Handler<D[K]> }

export type Handlers = HandlersOf<Endpoints>
