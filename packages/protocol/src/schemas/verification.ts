import { z } from 'zod'
import { limits } from '../limits.ts'
import { AgentId, HexHash, Timestamp, text, Uuid } from './scalars.ts'

const { verification, agent } = limits

export const VerificationResult = z.enum(['pass', 'fail', 'timeout'])
export type VerificationResult = z.infer<typeof VerificationResult>

export const VerificationAssignment = z.object({
  assignment_id: z.uuid(),
  target: z.object({
    agent_id: AgentId,
    name: z.string(),
    contact_endpoint: z.string().nullable(),
    capabilities: z.array(z.string()),
  }),
  nonce: z.string(),
  deadline: Timestamp,
  instructions: z.string(),
})

const share = z
  .union([z.number().min(0).max(1), z.boolean()], 'A number from 0 to 1, true or false is needed.')
  .nullish()
const finding = z
  .union(
    [z.boolean(), z.array(text(1, verification.finding)).max(verification.findings)],
    `True, false or a list of at most ${verification.findings} texts is needed, each of 1 to ${verification.finding} characters.`,
  )
  .nullish()
  .meta({ description: 'true, or a list that names at least one, is a finding' })

/** Surrounding blanks are kept: the report is stored as it was sent. */
const capability = text(1, agent.capabilities.length).refine((name) => name.trim() !== '', 'A capability is not blank.')

/** JSON text may hold a number such as 1e999, which is read as infinite and has no canonical form to sign. */
const hasFiniteNumbers = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(hasFiniteNumbers)
    : typeof value !== 'number' || Number.isFinite(value)

const NO_PROTO = 'A report has no field named __proto__.'

/** Zod leaves a field of this name out of what it read, so that the signature would not be checked over it. */
const hasProto = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto))

const report = z
  .looseObject({
    assignment_id: Uuid,
    target_id: z.string(),
    result: VerificationResult,
    nonce: z.string(),
    timestamp: z
      .union(
        [z.iso.datetime({ offset: true }), z.int()],
        'A time is needed: ISO-8601 with its offset, or unix seconds.',
      )
      .meta({ description: 'when the target was verified: ISO-8601, or unix seconds' }),
    signature: z.string().meta({
      description: 'base64 Ed25519 signature over the canonical JSON (RFC 8785) of all sent fields but this one',
    }),
    response_time_ms: z.int().min(0).max(verification.maxResponseMs).nullish(),
    coherence_score: z.number().min(0).max(1).nullish(),
    notes: text(0, verification.notes).nullish(),
    structured_report: z
      .looseObject({
        capabilities_confirmed: z.array(capability).max(agent.capabilities.max).nullish(),
        capability_match: share,
        tool_honesty: share,
        safety_issues: finding,
        unauthorized_actions: finding,
        consistent_behavior: share,
      })
      .nullish(),
  })
  .refine(hasFiniteNumbers, 'A number is too large: JSON’s end near 1.8e308.')

/** Kept as it was sent, with unknown fields and nulls: the inner signature covers all of it. */
export const VerificationReport = z.pipe(
  z.transform((value: z.input<typeof report>, context) => {
    if (hasProto(value)) context.issues.push({ code: 'custom', message: NO_PROTO, input: value })
    return value
  }),
  report,
)
export type VerificationReport = z.infer<typeof VerificationReport>

export const VerificationReceived = z.object({
  ok: z.literal(true),
  verification_id: z.string(),
  target_reputation_delta: z.number(),
  verifier_reputation_delta: z.number(),
  safety_flagged: z.boolean(),
  chain_sequence: z.int().nullable(),
  chain_entry_hash: HexHash.nullable(),
})
