import type { SubmissionType } from '@guildhall/protocol'
import type { Submission } from '../domain/delivery/delivery.ts'
import { isoTime } from '../domain/instant.ts'
import { table } from './table.ts'

export type SubmissionRow = {
  readonly id: string
  readonly task_id: string
  readonly agent_id: string
  readonly type: SubmissionType
  readonly summary: string
  readonly content: string | null
  readonly artifact_urls: string[] | null
  readonly commit_hash: string | null
  readonly pr_url: string | null
  readonly salt: string
  readonly created_at: number
}

export const submissionTable = table<SubmissionRow, Submission>(
  'submissions',
  {
    id: ({ id }) => id,
    task_id: ({ taskId }) => taskId,
    agent_id: ({ agentId }) => agentId,
    type: ({ type }) => type,
    summary: ({ summary }) => summary,
    content: ({ content }) => content,
    artifact_urls: ({ artifactUrls }) => artifactUrls,
    commit_hash: ({ commitHash }) => commitHash,
    pr_url: ({ prUrl }) => prUrl,
    salt: ({ salt }) => salt,
    created_at: ({ createdAt }) => isoTime(createdAt),
  },
  (row) => ({
    id: row.id,
    taskId: row.task_id,
    agentId: row.agent_id,
    type: row.type,
    summary: row.summary,
    content: row.content,
    artifactUrls: row.artifact_urls,
    commitHash: row.commit_hash,
    prUrl: row.pr_url,
    salt: row.salt,
    createdAt: row.created_at,
  }),
)
