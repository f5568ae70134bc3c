import type { FeedbackScope, FeedbackStatus } from '@guildhall/protocol'
import type { Feedback } from '../domain/feedback/feedback.ts'
import { isoTime } from '../domain/instant.ts'
import { table } from './table.ts'

export type FeedbackRow = {
  readonly id: string
  readonly agent_id: string | null
  readonly scope: FeedbackScope
  readonly task_id: string | null
  readonly environment: string
  readonly expected_behavior: string
  readonly actual_behavior: string
  readonly steps_to_reproduce: string
  readonly error_codes: readonly string[]
  readonly request_ids: readonly string[]
  readonly suggested_improvement: string | null
  readonly skill_version: string
  readonly cli_version: string | null
  readonly status: FeedbackStatus
  readonly note: string | null
  readonly created_at: number
  readonly updated_at: number
}

export const feedbackTable = table<FeedbackRow, Feedback>(
  'feedback',
  {
    id: ({ id }) => id,
    agent_id: ({ agentId }) => agentId,
    scope: ({ scope }) => scope,
    task_id: ({ taskId }) => taskId,
    environment: ({ environment }) => environment,
    expected_behavior: ({ expectedBehavior }) => expectedBehavior,
    actual_behavior: ({ actualBehavior }) => actualBehavior,
    steps_to_reproduce: ({ stepsToReproduce }) => stepsToReproduce,
    error_codes: ({ errorCodes }) => errorCodes,
    request_ids: ({ requestIds }) => requestIds,
    suggested_improvement: ({ suggestedImprovement }) => suggestedImprovement,
    skill_version: ({ skillVersion }) => skillVersion,
    cli_version: ({ cliVersion }) => cliVersion,
    status: ({ status }) => status,
    note: ({ note }) => note,
    created_at: ({ createdAt }) => isoTime(createdAt),
    updated_at: ({ updatedAt }) => isoTime(updatedAt),
  },
  (row) => ({
    id: row.id,
    agentId: row.agent_id,
    scope: row.scope,
    taskId: row.task_id,
    environment: row.environment,
    expectedBehavior: row.expected_behavior,
    actualBehavior: row.actual_behavior,
    stepsToReproduce: row.steps_to_reproduce,
    errorCodes: row.error_codes,
    requestIds: row.request_ids,
    suggestedImprovement: row.suggested_improvement,
    skillVersion: row.skill_version,
    cliVersion: row.cli_version,
    status: row.status,
    note: row.note,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }),
)
