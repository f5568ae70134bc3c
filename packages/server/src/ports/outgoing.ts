/** A call to an address that a user chose. */
export type OutgoingRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** For the whole call: resolving the name, connecting, sending, reading. */
  readonly timeoutMs: number
  /** The rest of a longer answer is not read. */
  readonly maxBytes: number
}

export type OutgoingOutcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: Uint8Array
      /** The body was longer than `maxBytes`. */
      readonly cut: boolean
    }
  /** The address may not be called from here; `reason` is safe to show to the user who chose it. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** The only way to call addresses that users choose: public addresses only, no redirects, never throws. */
export type Outgoing = (request: OutgoingRequest) => Promise<OutgoingOutcome>
