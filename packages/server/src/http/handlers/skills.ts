import { readSkill } from '../../actions/agents/read-skill.ts'
import { isoTime } from '../../domain/instant.ts'
import { adoptionOf, trustOf } from '../../domain/skill/skill.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'

export const skillHandlers = (world: World): Pick<Handlers, 'getSkill'> => ({
  async getSkill({ params }) {
    const { registry, name, facts, checkedAt } = await readSkill(world, params.registry, params.name)
    return {
      body: {
        name,
        registry,
        version: facts.version,
        private: false,
        verified: true,
        description: facts.description,
        downloads_last_month: facts.downloads,
        trust_score: trustOf(facts),
        adoption_score: adoptionOf(facts.downloads),
        last_checked_at: isoTime(checkedAt),
      },
    }
  },
})
