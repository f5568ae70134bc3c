import type { Chain } from './chain.ts'
import type { Clock } from './clock.ts'
import type { EscrowSigner } from './escrow-signer.ts'
import type { Facilitator } from './facilitator.ts'
import type { Failpoints } from './failpoints.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { Ledger } from './ledger.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mailer.ts'
import type { Outgoing } from './outgoing.ts'
import type { Random } from './random.ts'
import type { Rules } from './rules.ts'
import type { SkillRegistries } from './skill-registries.ts'
import type { Store } from './store.ts'
import type { Timer } from './timer.ts'
import type { Webhooks } from './webhooks.ts'

/** Everything that an action needs from outside: its first parameter, followed by its request. */
export type World = {
  readonly clock: Clock
  readonly timer: Timer
  readonly random: Random
  readonly log: Log
  readonly store: Store
  readonly ledger: Ledger
  readonly chain: Chain
  readonly facilitator: Facilitator
  /** Null when escrow is not configured. */
  readonly escrow: EscrowSigner | null
  /** Pays for the house's own tasks; null when there is none. */
  readonly houseWallet: EscrowSigner | null
  /** Null when no identity provider is configured. */
  readonly identity: IdentityProvider | null
  readonly outgoing: Outgoing
  readonly webhooks: Webhooks
  /** Null when no mail can be sent. */
  readonly mailer: Mailer | null
  readonly skillRegistries: SkillRegistries
  readonly failpoints: Failpoints
  readonly rules: Rules
  /** Wakes the jobs because something is due now; with 'announcement', only the job that announces tasks. */
  readonly nudge: (due?: 'announcement') => void
}
