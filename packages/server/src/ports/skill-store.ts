import type { SkillRegistry } from '@guildhall/protocol'
import type { SkillRecord } from '../domain/skill/skill.ts'

export type SkillReads = {
  skill(registry: SkillRegistry, name: string): Promise<SkillRecord | null>
}

export type SkillWrites = {
  /** Replaces an older record. */
  saveSkill(record: SkillRecord): Promise<void>
}
