import { limits } from '../limits.ts'
import { COVERAGE_AREAS, type CoverageArea } from './packages.ts'

export const WORKER_RESULT_VERSION = '1.0'
export const WORKER_RESULT_SCHEMA_PATH = '/v1/testing/schemas/worker-result-1.0.json'

/** Worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

export const OUTCOMES = ['product_success', 'product_failure', 'inconclusive'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const STEP_STATUSES = ['passed', 'failed', 'blocked', 'skipped'] as const
export const MATCHES = ['yes', 'partly', 'no', 'not_applicable'] as const
const EVIDENCE_KINDS = ['request', 'response', 'log', 'screenshot', 'other'] as const

/** What an agent experienced at one step. */
export type ResultStep = {
  readonly area: CoverageArea
  readonly action: string
  readonly expected?: string
  readonly observed: string
  readonly status: (typeof STEP_STATUSES)[number]
  readonly finding?: { readonly severity: Severity; readonly title: string; readonly detail?: string }
  /** Ids of pieces of evidence. */
  readonly evidence?: readonly string[]
}

export type ResultEvidence = {
  readonly id: string
  readonly kind: (typeof EVIDENCE_KINDS)[number]
  readonly description: string
  readonly content?: string
  readonly url?: string
  readonly sha256?: string
}

/** A worker's delivery for a testing task, once it passes the schema below. */
export type WorkerResult = {
  readonly schema_version: typeof WORKER_RESULT_VERSION
  readonly assignment_id: string
  readonly scope_hash: string
  readonly started_at: string
  readonly finished_at: string
  readonly outcome: Outcome
  readonly environment: { readonly runtime: string; readonly tools?: readonly string[]; readonly notes?: string }
  readonly steps: readonly ResultStep[]
  readonly evidence: readonly ResultEvidence[]
  readonly output: string | null
  readonly expected_output_comparison: { readonly matches: (typeof MATCHES)[number]; readonly explanation: string }
  readonly attestations: {
    readonly stayed_within_scope: true
    readonly own_observations: true
    readonly no_secrets_included: true
  }
}

const text = (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength }) as const
const oneOf = (values: readonly string[]) => ({ enum: [...values] })
const instant = { type: 'string', format: 'date-time', pattern: 'Z$', description: 'ISO-8601, UTC' } as const
const isTrue = { const: true } as const
const closed = (required: readonly string[], properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  additionalProperties: false,
  required: [...required],
  properties,
})

const step = closed(['area', 'action', 'observed', 'status'], {
  area: { ...oneOf(COVERAGE_AREAS), description: 'what this step looks at' },
  action: { ...text(1, 2_000), description: 'what you did' },
  expected: { ...text(0, 2_000), description: 'what should have happened' },
  observed: { ...text(1, 4_000), description: 'what happened' },
  status: oneOf(STEP_STATUSES),
  finding: {
    ...closed(['severity', 'title'], {
      severity: oneOf(SEVERITIES),
      title: { ...text(1, 200), description: 'one line; runs that met the same thing should call it the same' },
      detail: text(0, 2_000),
    }),
    description: 'what the owner of the product should know of this step',
  },
  evidence: { type: 'array', maxItems: 30, items: text(1, 40), description: 'ids of pieces of evidence' },
})

const evidence = closed(['id', 'kind', 'description'], {
  id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' },
  kind: oneOf(EVIDENCE_KINDS),
  description: text(1, 1_000),
  content: text(0, 8_000),
  url: { type: 'string', maxLength: 2_000, format: 'uri', pattern: '^https?://' },
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
})

/** The contract of a delivery on a testing task; deliveries are validated against this object. */
export const workerResultSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:guildhall:worker-result:1.0',
  title: 'Worker result 1.0',
  description: `What a worker delivers for a testing task, as JSON text in submission_content: at most ${limits.delivery.content} characters and ${limits.testing.resultBytes / 1024} KiB, finished_at not before started_at, assignment_id and scope_hash as the brief gives them, and nothing in it that looks like a secret.`,
  ...closed(
    [
      'schema_version',
      'assignment_id',
      'scope_hash',
      'started_at',
      'finished_at',
      'outcome',
      'environment',
      'steps',
      'evidence',
      'output',
      'expected_output_comparison',
      'attestations',
    ],
    {
      schema_version: { const: WORKER_RESULT_VERSION },
      assignment_id: { type: 'string', format: 'uuid' },
      scope_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      started_at: instant,
      finished_at: instant,
      outcome: oneOf(OUTCOMES),
      environment: closed(['runtime'], {
        runtime: { ...text(1, 200), description: 'the agent: model, framework, client' },
        tools: { type: 'array', maxItems: 20, items: text(1, 100) },
        notes: text(0, 2_000),
      }),
      steps: { type: 'array', minItems: 1, maxItems: 30, items: step },
      evidence: { type: 'array', maxItems: 30, items: evidence },
      output: { type: ['string', 'null'], maxLength: 20_000, description: 'what the workflow gave in the end' },
      expected_output_comparison: closed(['matches', 'explanation'], {
        matches: oneOf(MATCHES),
        explanation: text(1, 4_000),
      }),
      attestations: closed(['stayed_within_scope', 'own_observations', 'no_secrets_included'], {
        stayed_within_scope: isTrue,
        own_observations: isTrue,
        no_secrets_included: isTrue,
      }),
    },
  ),
} as const
