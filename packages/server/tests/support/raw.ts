import { randomUUID } from 'node:crypto'
import { signRequest } from '@guildhall/protocol'
import type { Player } from './cast.ts'
import { insistingFetch } from './insisting-fetch.ts'
import type { Stage } from './stage.ts'

/** A request as its bytes go out: it can be sent again, unchanged or with a payment beside it. */
export type RawRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export type RawAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>> & { readonly error?: string }
}

/** A null nonce is none at all; a request that is not told otherwise has one of its own. */
type Signing = { readonly timestamp?: number; readonly nonce?: string | null }

export function signed(
  stage: Stage,
  player: Player,
  method: string,
  path: string,
  body?: unknown,
  { timestamp = Math.floor(stage.now() / 1000), nonce = randomUUID() }: Signing = {},
): RawRequest {
  const text = body === undefined ? null : JSON.stringify(body)
  const signature = signRequest({
    secretKey: player.key,
    method,
    path,
    body: text,
    timestamp,
    nonce: nonce ?? undefined,
  })
  const type = text === null ? {} : { 'Content-Type': 'application/json' }
  return { method, path, headers: { ...signature, ...type }, body: text }
}

type Sending = {
  readonly headers?: Readonly<Record<string, string>>
  readonly node?: number
  /** Shows the first answer, also where it is that the node is too busy. */
  readonly once?: boolean
}

export async function send(
  stage: Stage,
  { method, path, headers, body }: RawRequest,
  more: Sending = {},
): Promise<RawAnswer> {
  const sending = more.once ? fetch : insistingFetch
  const answer = await sending(`${stage.node(more.node).url}${path}`, {
    method,
    headers: { ...headers, ...more.headers },
    body,
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as RawAnswer['body'] }
}

/** Status and code in one, for a glance. */
export const outcomeOf = ({ status, body }: RawAnswer): string =>
  body.error ? `${status} ${body.error}` : String(status)
