/** A call to an address that a user chose. */
export type OutgoingRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** For everything together: finding the address, connecting, sending, reading. */
  readonly timeoutMs: number
  /** More of the answer than this is not read. */
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
  /** Not an address that may be called from here; `reason` can be shown to the user who chose it. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** The one way out to addresses that others choose. It reaches public addresses only, follows no redirect and never throws. */
export type Outgoing = (request: OutgoingRequest) => Promise<OutgoingOutcome>
