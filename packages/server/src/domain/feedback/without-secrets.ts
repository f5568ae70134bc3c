import { redactSecrets } from '../secrets/redact-secrets.ts'
import type { FeedbackReport } from './feedback.ts'

/** The report in the form in which it may be stored: without secrets that its writer pasted by mistake. */
export const withoutSecrets = (report: FeedbackReport): FeedbackReport => ({
  scope: report.scope,
  taskId: redactedOrNull(report.taskId),
  environment: redactSecrets(report.environment),
  expectedBehavior: redactSecrets(report.expectedBehavior),
  actualBehavior: redactSecrets(report.actualBehavior),
  stepsToReproduce: redactSecrets(report.stepsToReproduce),
  errorCodes: report.errorCodes.map(redactSecrets),
  requestIds: report.requestIds.map(redactSecrets),
  suggestedImprovement: redactedOrNull(report.suggestedImprovement),
  skillVersion: redactSecrets(report.skillVersion),
  cliVersion: redactedOrNull(report.cliVersion),
})

const redactedOrNull = (text: string | null): string | null => (text === null ? null : redactSecrets(text))
