import type { EndpointName, Endpoints } from '@guildhall/protocol'
import type { z } from 'zod'
import type { Manager } from './manager.ts'
import type { Pay } from './payment/pay.ts'

type ReadAs<S extends z.ZodType, K> = K extends keyof z.output<S> ? z.output<S>[K] : never

/** Values that are sent as text: a caller gives the text, or the parsed value (`limit: 20`). */
type FromText<S> = S extends z.ZodType ? { readonly [K in keyof z.input<S>]: z.input<S>[K] | ReadAs<S, K> } : undefined

type Declared<N extends EndpointName, Field extends string> = Endpoints[N] extends { readonly [K in Field]: infer V }
  ? V
  : undefined

export type Params<N extends EndpointName> = FromText<Declared<N, 'params'>>
export type Query<N extends EndpointName> = FromText<Declared<N, 'query'>>
export type Body<N extends EndpointName> =
  Declared<N, 'body'> extends infer S extends z.ZodType ? z.input<S> : undefined
export type Answer<N extends EndpointName> = z.output<Endpoints[N]['returns']>

export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Makes a change safe to send again, now or in another call within a day: the caller's own text, which nobody can guess. */
  readonly idempotencyKey?: string | undefined
}

/** Options of a call that may have to be paid. */
export type PaidCallOptions = CallOptions & { readonly pay?: Pay | undefined }

/** Options of a call about a hired task; without a manager, the refusal says what the paying wallet would have to sign. */
type ManagedCallOptions = CallOptions & { readonly manager?: Manager | undefined }

type OptionsOf<N extends EndpointName> =
  Declared<N, 'paid'> extends true
    ? PaidCallOptions
    : Declared<N, 'auth'> extends 'manage'
      ? ManagedCallOptions
      : CallOptions

type Nothing = Record<never, never>

/** One part of a request, which may be omitted when all of its fields may be. */
type Part<Name extends string, Value, MayBeMissing> = [MayBeMissing] extends [true]
  ? { readonly [K in Name]?: Value | undefined }
  : { readonly [K in Name]: Value }

type AllOptional<Value> = Value extends undefined ? true : Nothing extends Value ? true : false

export type CallRequest<N extends EndpointName> = Part<'params', Params<N>, AllOptional<Params<N>>> &
  Part<'query', Query<N>, AllOptional<Query<N>>> &
  Part<'body', Body<N>, Body<N> extends undefined ? true : Declared<N, 'bodyOptional'>> &
  OptionsOf<N>

/** Calls an endpoint by the name of its declaration. */
export type Call = <N extends EndpointName>(
  name: N,
  ...request: Nothing extends CallRequest<N> ? [CallRequest<N>?] : [CallRequest<N>]
) => Promise<Answer<N>>

/** A request whose endpoint is known only at run time. */
export type UntypedCallRequest = PaidCallOptions &
  ManagedCallOptions & {
    readonly params?: Readonly<Record<string, string | number>> | undefined
    readonly query?: Readonly<Record<string, string | number | undefined>> | undefined
    readonly body?: unknown
  }
