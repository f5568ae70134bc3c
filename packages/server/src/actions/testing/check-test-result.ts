import type { Delivery } from '../../domain/delivery/delivery.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Task } from '../../domain/task/task.ts'
import { findSecretFields } from '../../domain/testing/find-secret-fields.ts'
import { judgeResult } from '../../domain/testing/judge-result.ts'
import type { Transaction } from '../../ports/store.ts'

/** A delivery on a testing task must be a worker result for that assignment. */
export async function checkTestResult(tx: Transaction, task: Task, delivery: Delivery): Promise<void> {
  if (task.category !== 'testing') return
  const run = await tx.testingRunOf(task.id)
  const request = run && (await tx.testingRequest(run.requestId))
  if (!run || !request) return
  if (delivery.type !== 'json' || delivery.content === null) {
    const message = 'A worker result 1.0 is needed, as JSON text, with submission_type json.'
    refuse('result_invalid', { issues: [{ path: 'submission_content', message }] })
  }
  const judged = judgeResult(delivery.content, { assignmentId: run.assignmentId, scopeHash: request.scopeHash })
  if ('issues' in judged) refuse('result_invalid', { issues: [...judged.issues] })
  const { summary, artifactUrls, prUrl } = delivery
  const secrets = findSecretFields({ summary, artifact_urls: artifactUrls, pr_url: prUrl }, '')
  if (secrets.length > 0) refuse('result_invalid', { issues: [...secrets] })
}
