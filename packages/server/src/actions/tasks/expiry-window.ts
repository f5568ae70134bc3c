import { limits } from '@guildhall/protocol'
import type { Agent } from '../../domain/agent/agent.ts'
import { refuse, refuseField } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'

const HOUSE_DAYS = limits.task.houseExpiresInDays

/** Refuses an open window that is shorter or longer than this poster may ask for. */
export function checkExpiry(
  world: World,
  { expiresInDays }: { readonly expiresInDays: number | null },
  agent: Agent | null,
): void {
  if (expiresInDays === null) return
  const { min } = agent?.house ? HOUSE_DAYS : limits.task.expiresInDays
  const cap = expiryCap(world, agent)
  if (expiresInDays < min) refuseField('expires_in_days', `A task is open for at least ${min} day.`)
  if (expiresInDays > cap) refuse('expiry_window_not_allowed', { max_days: cap })
}

/** The most days this poster may leave a task open; a poster without an agent always counts as new. */
export function expiryCap({ rules, clock }: World, agent: Agent | null): number {
  if (agent?.house) return HOUSE_DAYS.max
  const isNew = agent === null || clock.now() - agent.registeredAt < limits.task.newPosterMs
  return isNew ? Math.min(rules.newPosterExpiryCapDays, rules.posterExpiryCapDays) : rules.posterExpiryCapDays
}
