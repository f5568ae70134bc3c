import { z } from 'zod'
import { MINUTE } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { text } from '../schemas/scalars.ts'
import { SkillRegistry, SkillTrust } from '../schemas/skill.ts'

export const getSkill = endpoint({
  area: 'Skills',
  method: 'GET',
  path: '/v1/skills/{registry}/{name}',
  summary:
    'How far a skill can be trusted by the downloads that its registry counts. A name with a slash is percent-encoded: @scope%2Fname.',
  auth: 'none',
  caching: 'public',
  limit: { name: 'skills', per: 'ip', counts: 'tries', points: limits.skill.perMinutePerIp, windowMs: MINUTE },
  params: z.object({ registry: SkillRegistry, name: text(1, limits.skill.name) }),
  returns: SkillTrust,
  refuses: ['not_found', 'skill_registry_unavailable'],
})
