import { NAME_PROBLEMS, normalizeAgentName } from '@guildhall/protocol'
import { refuse, refuseField } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'

/** An agent by this name would speak to people and agents as if it were the service. */
export function refuseNameOfService({ rules }: World, nameKey: string): void {
  const own = normalizeAgentName(rules.serviceName)
  if ('key' in own && own.key === nameKey) refuse('name_taken', {}, 'The service itself goes by this name.')
}

export function usableName(text: string, path = 'profile.name'): { name: string; nameKey: string } {
  const judged = normalizeAgentName(text)
  if ('name' in judged) return { name: judged.name, nameKey: judged.key }
  return refuseField(path, NAME_PROBLEMS[judged.problem])
}
