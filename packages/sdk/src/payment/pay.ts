import type { Wallet } from './wallet.ts'

/** How one call may pay. Omitted fields are taken from the client's options. */
export type Pay = {
  /** The most that this call may pay, in USDC, such as `5` or `2.50`. */
  readonly maxUsdc?: string | undefined
  readonly wallet?: Wallet | undefined
  /** The payment signed by an earlier attempt at this call: it is sent again instead of a new one. */
  readonly signed?: string | undefined
  /** Called with the signed payment before it is sent, so that it can be stored for a later attempt. */
  readonly onSigned?: ((signed: string) => void | Promise<void>) | undefined
}
