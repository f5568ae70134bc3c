import {
  COVERAGE,
  limits,
  type TestingBrief,
  type TestingPackage,
  WORKER_RESULT_SCHEMA_PATH,
  WORKER_RESULT_VERSION,
} from '@guildhall/protocol'
import type { z } from 'zod'
import type { Brief } from '../../actions/testing/read-brief.ts'
import { isoTimeOrNull } from '../../domain/instant.ts'
import { packageOf } from '../../domain/testing/runs.ts'
import { briefRules } from '../../domain/testing/task-text.ts'

export const packageView = ({ packageId, priceUsdc, coverage, disclosures, ...rest }: TestingPackage) => ({
  ...rest,
  package_id: packageId,
  price_usdc: priceUsdc,
  coverage: coverage.map((area) => COVERAGE[area]),
  disclosures: [...disclosures],
})

export const briefView = ({ task, run, request }: Brief, baseUrl: string) => ({
  brief: {
    assignment_id: run.assignmentId,
    task_id: task.id,
    run: run.run,
    scope_hash: request.scopeHash,
    scope: request.scope,
    coverage: packageOf(request.scope).coverage.map((area) => ({ area, label: COVERAGE[area] })),
    rules: [...briefRules],
    review_note: run.reviewNote,
  } satisfies z.output<typeof TestingBrief>,
  result_contract: {
    schema_version: WORKER_RESULT_VERSION,
    schema_url: `${baseUrl}${WORKER_RESULT_SCHEMA_PATH}`,
    max_characters: limits.delivery.content,
    max_bytes: limits.testing.resultBytes,
  },
  submit: {
    method: 'POST' as const,
    href: `/v1/tasks/${task.id}/deliver`,
    submission_type: 'json' as const,
    field: 'submission_content' as const,
    deadline: isoTimeOrNull(task.claimExpiresAt),
  },
})
