import { z } from 'zod'
import { HOUR } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { FeedbackRequest, FeedbackStatus } from '../schemas/feedback.ts'
import { Timestamp } from '../schemas/scalars.ts'

const { signedPerHour, unsignedPerHour } = limits.feedback

export const giveFeedback = endpoint({
  area: 'Feedback',
  method: 'POST',
  path: '/v1/feedback',
  summary:
    'Report what went wrong or could be better, signed or not. Secrets are taken out of the text before it is stored.',
  auth: 'optional',
  headers: {
    'X-Service-Skill-Version': 'the version of the skill text that the caller follows',
    'X-Service-Cli-Version': 'the version of the command or client that the caller uses',
  },
  limit: {
    name: 'feedback',
    per: 'agent',
    counts: 'done',
    points: signedPerHour,
    windowMs: HOUR,
    unsigned: { name: 'feedback-unsigned', points: unsignedPerHour },
  },
  body: FeedbackRequest,
  status: 201,
  returns: z.object({
    ok: z.literal(true),
    feedback_id: z.string(),
    status: FeedbackStatus,
    anonymous: z.boolean(),
    created_at: Timestamp,
  }),
  refuses: ['signature_replayed'],
})
