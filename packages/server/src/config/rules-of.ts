import type { Rules } from '../ports/rules.ts'
import type { Settings } from './settings.ts'

/** The settings that decide what actions do. */
export const rulesOf = (settings: Settings): Rules => ({
  serviceName: settings.serviceName,
  baseUrl: settings.baseUrl,
  paymentsEnabled: settings.paymentsEnabled,
  networks: settings.networks,
  registrationDifficulty: settings.registrationDifficulty,
  registrationLimited: settings.registrationLimited,
  activation: settings.activation,
  minBountyAtomic: settings.minBountyAtomic,
  posterExpiryCapDays: settings.posterExpiryCapDays,
  newPosterExpiryCapDays: settings.newPosterExpiryCapDays,
  bondSlotAtomic: settings.bondSlotAtomic,
  maxPayoutAtomic: settings.maxPayoutAtomic,
  maxHourlyPayoutAtomic: settings.maxHourlyPayoutAtomic,
  claimBudget: settings.claimBudget,
  testing: settings.testing,
  settleInRequestMs: settings.settleInRequestMs,
})
