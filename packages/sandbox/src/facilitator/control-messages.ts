import type { Fault } from './fault.ts'

/** What the facilitator's process is started with; a restarted one gets the settings then in force. */
export type FacilitatorConfig = {
  readonly networks: readonly { readonly network: string; readonly rpcUrl: string }[]
  readonly gasKey: `0x${string}`
  readonly eip6492Factories: readonly `0x${string}`[]
  readonly port: number
  readonly clockOffsetMs: number
  readonly fault: Fault
  readonly callsLeft: number | null
  readonly faultNumber: number
}

/** An order to the running process; each is acknowledged by its id. */
export type Order =
  | { readonly kind: 'set-clock'; readonly clockOffsetMs: number }
  | {
      readonly kind: 'set-fault'
      readonly fault: Fault
      readonly callsLeft: number | null
      readonly faultNumber: number
    }

export type ToChild =
  | { readonly kind: 'start'; readonly config: FacilitatorConfig }
  | { readonly kind: 'order'; readonly id: number; readonly order: Order }

export type FromChild =
  | { readonly kind: 'ready'; readonly port: number; readonly address: `0x${string}` }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'fault-spent'; readonly faultNumber: number; readonly callsLeft: number }
