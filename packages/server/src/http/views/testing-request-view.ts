import type { TestingRequestView, TestingRunView } from '@guildhall/protocol'
import type { z } from 'zod'
import type { RequestFile, RunStanding } from '../../actions/testing/read-request.ts'
import { isoTime, isoTimeOrNull } from '../../domain/instant.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'

export const testingRequestView = (request: TestingRequest): z.output<typeof TestingRequestView> => ({
  request_id: request.id,
  status: request.status,
  package_id: request.scope.package_id,
  package_version: request.scope.package_version,
  product_name: request.scope.product_name,
  scope_hash: request.scopeHash,
  retest_of: request.retestOf,
  note: request.note,
  created_at: isoTime(request.createdAt),
  confirmed_at: isoTimeOrNull(request.confirmedAt),
  decided_at: isoTimeOrNull(request.decidedAt),
  ended_at: isoTimeOrNull(request.endedAt),
})

type RunView = z.output<typeof TestingRunView>

/** Owners see the state of a run, not its task or agent. */
function runView(request: TestingRequest, { run, latest, task }: RunStanding): RunView {
  const times = [latest?.endedAt, task?.submittedAt, task?.claimedAt, latest?.createdAt, request.createdAt]
  const updated = times.find((time) => time !== null && time !== undefined) ?? request.createdAt
  return { run, status: statusOf(latest, task), updated_at: isoTime(updated) }
}

function statusOf(latest: RunStanding['latest'], task: RunStanding['task']): RunView['status'] {
  if (latest === null || task === null) return 'waiting'
  if (latest.outcome !== null) return latest.outcome
  if (task.status === 'claimed' || task.status === 'submitted') return task.status
  return task.status === 'verified' ? 'accepted' : 'open'
}

export const requestFileView = ({ request, runs, report }: RequestFile) => ({
  request: testingRequestView(request),
  scope: request.scope,
  runs: runs.map((run) => runView(request, run)),
  report,
})
