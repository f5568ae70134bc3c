import type { TestingScope, TestingStatus } from '@guildhall/protocol'
import { isoTime, isoTimeOrNull } from '../domain/instant.ts'
import type { TestingWorker } from '../domain/testing/eligibility.ts'
import type { RunDecision, TestingRequest, TestingRun } from '../domain/testing/request.ts'
import { table } from './table.ts'

export type TestingRequestRow = {
  readonly id: string
  readonly status: TestingStatus
  readonly email: string
  readonly owner_id: string | null
  readonly scope: TestingScope
  readonly scope_hash: string
  readonly retest_of: string | null
  readonly note: string | null
  readonly created_at: number
  readonly confirm_by: number | null
  readonly confirmed_at: number | null
  readonly decided_at: number | null
  readonly ended_at: number | null
  readonly post_at: number | null
  readonly trouble: string | null
}

export const testingRequestTable = table<TestingRequestRow, TestingRequest>(
  'testing_requests',
  {
    id: ({ id }) => id,
    status: ({ status }) => status,
    email: ({ email }) => email,
    owner_id: ({ ownerId }) => ownerId,
    scope: ({ scope }) => JSON.stringify(scope),
    scope_hash: ({ scopeHash }) => scopeHash,
    retest_of: ({ retestOf }) => retestOf,
    note: ({ note }) => note,
    created_at: ({ createdAt }) => isoTime(createdAt),
    confirm_by: ({ confirmBy }) => isoTimeOrNull(confirmBy),
    confirmed_at: ({ confirmedAt }) => isoTimeOrNull(confirmedAt),
    decided_at: ({ decidedAt }) => isoTimeOrNull(decidedAt),
    ended_at: ({ endedAt }) => isoTimeOrNull(endedAt),
    post_at: ({ postAt }) => isoTimeOrNull(postAt),
    trouble: ({ trouble }) => trouble,
  },
  (row) => ({
    id: row.id,
    status: row.status,
    email: row.email,
    ownerId: row.owner_id,
    scope: row.scope,
    scopeHash: row.scope_hash,
    retestOf: row.retest_of,
    note: row.note,
    createdAt: row.created_at,
    confirmBy: row.confirm_by,
    confirmedAt: row.confirmed_at,
    decidedAt: row.decided_at,
    endedAt: row.ended_at,
    postAt: row.post_at,
    trouble: row.trouble,
  }),
)

export type TestingRunRow = {
  readonly assignment_id: string
  readonly request_id: string
  readonly run: number
  readonly attempt: number
  readonly task_id: string
  readonly outcome: TestingRun['outcome']
  readonly review_note: string | null
  readonly decision: RunDecision | null
  readonly decision_note: string | null
  readonly trouble: string | null
  readonly retry_at: number | null
  readonly created_at: number
  readonly ended_at: number | null
}

export const testingRunTable = table<TestingRunRow, TestingRun>(
  'testing_runs',
  {
    assignment_id: ({ assignmentId }) => assignmentId,
    request_id: ({ requestId }) => requestId,
    run: ({ run }) => run,
    attempt: ({ attempt }) => attempt,
    task_id: ({ taskId }) => taskId,
    outcome: ({ outcome }) => outcome,
    review_note: ({ reviewNote }) => reviewNote,
    decision: ({ decision }) => decision,
    decision_note: ({ decisionNote }) => decisionNote,
    trouble: ({ trouble }) => trouble,
    retry_at: ({ retryAt }) => isoTimeOrNull(retryAt),
    created_at: ({ createdAt }) => isoTime(createdAt),
    ended_at: ({ endedAt }) => isoTimeOrNull(endedAt),
  },
  (row) => ({
    assignmentId: row.assignment_id,
    requestId: row.request_id,
    run: row.run,
    attempt: row.attempt,
    taskId: row.task_id,
    outcome: row.outcome,
    reviewNote: row.review_note,
    decision: row.decision,
    decisionNote: row.decision_note,
    trouble: row.trouble,
    retryAt: row.retry_at,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }),
)

export type TestingWorkerRow = {
  readonly agent_id: string
  readonly allow_listed: boolean
  readonly suspended_for: string | null
  readonly granted_at: number
  readonly expires_at: number
}

export const testingWorkerTable = table<TestingWorkerRow, TestingWorker>(
  'testing_workers',
  {
    agent_id: ({ agentId }) => agentId,
    allow_listed: ({ allowListed }) => allowListed,
    suspended_for: ({ suspendedFor }) => suspendedFor,
    granted_at: ({ grantedAt }) => isoTime(grantedAt),
    expires_at: ({ expiresAt }) => isoTime(expiresAt),
  },
  (row) => ({
    agentId: row.agent_id,
    allowListed: row.allow_listed,
    suspendedFor: row.suspended_for,
    grantedAt: row.granted_at,
    expiresAt: row.expires_at,
  }),
)
