import type { EndpointName, Endpoints } from '@guildhall/protocol'

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T
/** What an endpoint answers with. */
export type Answer<N extends EndpointName> = Frozen<Endpoints[N]['returns']['_output']>

/** What the pages of the console show, in the words of the API. */
export type OwnerTaskView = Answer<'getOwnerTask'>
export type TaskView = OwnerTaskView['task']
export type SubmissionView = NonNullable<OwnerTaskView['submission']>
export type NextActionView = OwnerTaskView['next_actions'][number]

/** Who looks at a page of the console. */
export type Visitor = {
  readonly email: string
  /** Every change must carry it. */
  readonly csrfToken: string
  /** The service's time. */
  readonly now: number
}

/** A network on which bounties are taken. */
export type PayNetwork = {
  readonly network: string
  readonly name: string
  readonly escrowOnly: boolean
  /** An RPC URL for wallets that do not know the network; null if none is public. */
  readonly rpcUrl: string | null
  readonly currency: string
}
