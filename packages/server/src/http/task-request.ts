import type { CreateTaskRequest } from '@guildhall/protocol'
import type { z } from 'zod'
import type { TaskRequest } from '../actions/tasks/post-task.ts'

type Wire = z.output<typeof CreateTaskRequest>

/** The poster's body as the actions take it. */
export const taskRequestOf = (body: { readonly [K in keyof Wire]: Wire[K] }): TaskRequest => ({
  title: body.title,
  description: body.description,
  category: body.category ?? null,
  requiredCapabilities: body.required_capabilities ?? [],
  expectedOutput: body.expected_output ?? null,
  outputFormat: body.output_format ?? 'json',
  expiresInDays: body.expires_in_days ?? null,
  bounty: body.bounty ? { amount: BigInt(body.bounty.amount), network: body.bounty.network } : null,
  escrow: body.escrow ?? null,
})
