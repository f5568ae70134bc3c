import type { TaskDetail } from '../../ports/task-store.ts'
import { receiptView, submissionView } from './delivery-view.ts'
import { taskPaymentView } from './payment-view.ts'
import { taskView } from './task-view.ts'

/** A task with its newest delivery and payment, as everybody sees it: the delivered content only while it is published. */
export function publicTaskView(found: TaskDetail) {
  const { task, receipt } = found
  const published = task.publishedAt === null ? null : found.submission
  return {
    ok: true as const,
    task: taskView(found),
    submission: published === null ? null : submissionView(published),
    delivery_receipt: receipt === null ? null : receiptView(receipt, published),
    receipts_count: task.receiptsCount,
    payment: taskPaymentView(found),
  }
}
