import type { Wallet } from './wallet.ts'

/** How one call may pay. Whatever is left out is taken from the client's options. */
export type Pay = {
  /** The most that this call may pay, in USDC, such as `5` or `2.50`. */
  readonly maxUsdc?: string | undefined
  readonly wallet?: Wallet | undefined
  /** A payment that an earlier try of this very call signed: it is sent again instead of a new one. */
  readonly signed?: string | undefined
  /** Told the signed payment before it is sent, so that it can be kept for a later try. */
  readonly onSigned?: ((signed: string) => void | Promise<void>) | undefined
}
