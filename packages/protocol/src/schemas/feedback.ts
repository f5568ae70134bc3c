import { z } from 'zod'
import { limits } from '../limits.ts'
import { listOf, optional, text } from './scalars.ts'

const { feedback } = limits

export const FeedbackScope = z.enum(['task', 'general'])
export type FeedbackScope = z.infer<typeof FeedbackScope>

export const FeedbackStatus = z.enum(['received', 'in_review', 'resolved', 'declined'])
export type FeedbackStatus = z.infer<typeof FeedbackStatus>

const list = listOf(text(1, feedback.item), feedback.list)

/** The only request with fields that are not in snake_case: the specification names them so. */
export const FeedbackRequest = z
  .strictObject({
    scope: FeedbackScope,
    taskId: optional(
      z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'A task id has 1 to 64 characters of A-Z a-z 0-9 _ -.'),
    ).meta({ description: 'required when scope is task' }),
    environment: text(1, feedback.environment),
    expectedBehavior: text(1, feedback.text),
    actualBehavior: text(1, feedback.text),
    stepsToReproduce: text(1, feedback.text),
    errorCodes: optional(list),
    requestIds: optional(list).meta({ description: 'X-Request-Id values' }),
    suggestedImprovement: optional(text(0, feedback.text)),
    skillVersion: text(1, feedback.version),
    cliVersion: optional(text(0, feedback.version)),
  })
  .refine(({ scope, taskId }) => scope !== 'task' || taskId !== undefined, {
    message: 'taskId is needed when scope is task.',
    path: ['taskId'],
  })
