import { z } from 'zod'
import { Timestamp } from './scalars.ts'

export const SKILL_REGISTRIES = ['npm', 'pypi', 'clawhub'] as const
export const SkillRegistry = z.enum(SKILL_REGISTRIES)
export type SkillRegistry = z.infer<typeof SkillRegistry>

export const SkillTrust = z.object({
  name: z.string(),
  registry: SkillRegistry,
  version: z.string().nullable(),
  private: z.boolean(),
  verified: z.boolean().meta({ description: 'The registry knows a package of this name.' }),
  description: z.string().nullable(),
  downloads_last_month: z
    .int()
    .nullable()
    .meta({ description: 'As the registry counts them; ClawHub counts all downloads there have ever been.' }),
  trust_score: z.number().meta({
    description:
      'adoption_score, a quarter of it when the registry calls the newest release deprecated or yanked, 0 when it flags it as suspicious.',
  }),
  adoption_score: z.number().meta({ description: 'min(0.9, log10(downloads + 1) / 6)' }),
  last_checked_at: Timestamp,
})
