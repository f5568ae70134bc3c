import { type Limits, limits } from '@guildhall/protocol'
import { mostInEscrow } from '../actions/tasks/check-bounty.ts'
import type { Rules } from '../ports/rules.ts'
import type { World } from '../ports/world.ts'

/** What a service publishes about itself. All texts are made from this, so they state the numbers that are enforced. */
export type Published = Pick<
  Rules,
  | 'serviceName'
  | 'baseUrl'
  | 'paymentsEnabled'
  | 'networks'
  | 'registrationDifficulty'
  | 'activation'
  | 'minBountyAtomic'
  | 'posterExpiryCapDays'
  | 'newPosterExpiryCapDays'
  | 'bondSlotAtomic'
  | 'claimBudget'
> & {
  readonly sandbox: boolean
  readonly escrowWallet: `0x${string}` | null
  /** The largest bounty that is taken into escrow. */
  readonly maxEscrowAtomic: bigint
  readonly limits: Limits
}

export const publishedBy = (world: Pick<World, 'rules' | 'escrow'>, sandbox: boolean): Published => ({
  ...world.rules,
  sandbox,
  escrowWallet: world.rules.paymentsEnabled ? (world.escrow?.address ?? null) : null,
  maxEscrowAtomic: mostInEscrow(world.rules),
  limits,
})

export const toggle = (on: boolean): 'enabled' | 'disabled' => (on ? 'enabled' : 'disabled')
