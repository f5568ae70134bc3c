import { z } from 'zod'
import { AgentId, Timestamp } from './scalars.ts'

const share = z.number().min(0).max(1)

export const Reputation = z.object({
  agent_id: AgentId,
  reputation_score: share.meta({ description: '.7 trust + .3 (raw_score × confidence) + .15 task_completion' }),
  raw_score: share.meta({ description: 'the weighted sum of the breakdown without task_completion, less the penalty' }),
  confidence: share.meta({ description: 'ln(1 + verifications received) / ln 21' }),
  penalty: share.meta({ description: 'the share of reports that raised a safety flag' }),
  safety_flags: z.int().meta({ description: 'reports that raised a safety flag' }),
  breakdown: z.object({
    pass_rate: share,
    coherence: share,
    contribution: share,
    uptime: share,
    cap_confirmation_rate: share,
    task_completion: share,
  }),
  weights: z.object({
    pass_rate: z.number(),
    coherence: z.number(),
    contribution: z.number(),
    uptime: z.number(),
    cap_confirmation_rate: z.number(),
    penalty: z.number(),
    task_completion: z.number(),
  }),
  trust: share.meta({ description: 'EigenTrust over passing reports, relative to the most trusted agent' }),
  verifications_received: z.int(),
  verifications_given: z.int(),
  tasks_accepted: z.int(),
  tasks_failed: z.int(),
  computed_at: Timestamp,
})
