import type { Hex } from '../domain/transfer/transfer.ts'

export type SandboxPlaces = {
  readonly networks: readonly { readonly network: string; readonly rpcUrl: string; readonly usdc: Hex }[]
  readonly facilitatorUrl: string
  readonly mailUrl: string
  readonly identityUrl: string
}

/** Controls the sandbox's clock, faucet and faults; it exists only in the sandbox. */
export type SandboxControl = {
  readonly places: SandboxPlaces
  /** Moves the clocks of this service, the chains and the facilitator together. */
  advance(seconds: number): Promise<void>
  mint(
    network: string,
    address: string,
    atomic: bigint,
  ): Promise<{ readonly txHash: string; readonly balanceUsdc: string }>
  setFaults(faults: {
    readonly facilitator: string | null
    readonly rpc: string | null
    readonly times: number | null
  }): Promise<{ readonly facilitator: string; readonly rpc: string }>
}
