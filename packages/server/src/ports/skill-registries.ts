import type { SkillRegistry } from '@guildhall/protocol'
import type { SkillFacts } from '../domain/skill/skill.ts'

export type SkillFinding =
  | { readonly kind: 'found'; readonly facts: SkillFacts }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unavailable'; readonly cause: string }

/** The package registries that skills come from. */
export type SkillRegistries = {
  /** `name` must be in the registry's canonical form. Never throws. */
  look(registry: SkillRegistry, name: string): Promise<SkillFinding>
}
