import type { SkillRegistry } from '@guildhall/protocol'
import { refuse, refuseField } from '../../domain/refusal.ts'
import { isFresh, type SkillFacts, type SkillRecord } from '../../domain/skill/skill.ts'
import { skillName } from '../../domain/skill/skill-name.ts'
import type { World } from '../../ports/world.ts'

export type KnownSkill = SkillRecord & { readonly facts: SkillFacts }

/** What a registry says of a skill, at most a day old; longer only while the registry cannot be asked. */
export async function readSkill(world: World, registry: SkillRegistry, text: string): Promise<KnownSkill> {
  const name = skillName(registry, text) ?? notAName(registry)
  const known = await world.store.skill(registry, name)
  if (known !== null && isFresh(known, world.clock.now())) return existing(known)
  const found = await world.skillRegistries.look(registry, name)
  if (found.kind === 'unavailable') {
    world.log.warn('A skill registry cannot be asked', { registry, cause: found.cause })
    return known === null ? refuse('skill_registry_unavailable', { registry }) : existing(known)
  }
  const facts = found.kind === 'found' ? found.facts : null
  const record: SkillRecord = { registry, name, facts, checkedAt: world.clock.now() }
  await world.store.transaction((tx) => tx.saveSkill(record))
  return existing(record)
}

function existing(record: SkillRecord): KnownSkill {
  const { facts, registry, name } = record
  if (facts !== null) return { ...record, facts }
  return refuse('not_found', { resource: 'skill' }, `The registry ${registry} has no package called ${name}.`)
}

const notAName = (registry: SkillRegistry): never =>
  refuseField('name', `No package of ${registry} can have this name.`)
