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

/** Everything outside of the rules. An action takes it first, its request second. */
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
  /** The wallet from which the house pays for its own tasks; null when there is none. */
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
  /** Tells the jobs that something fell due, so that they need not wait for their next look: anything, or an announcement alone. */
  readonly nudge: (due?: 'announcement') => void
}
