import type { CreateTaskRequest } from '@guildhall/protocol'
import type { z } from 'zod'
import type { HireRequest } from '../actions/hires/hire-by-wallet.ts'
import type { TaskRequest } from '../actions/tasks/draft-task.ts'

type Wire = z.output<typeof CreateTaskRequest>

type Body<Name extends keyof Wire> = { readonly [K in Name]: Wire[K] }

/** The poster's body as the actions take it. */
export const taskRequestOf = (body: Body<keyof Wire>): TaskRequest => ({
  ...hireRequestOf(body),
  bounty: body.bounty ? { amount: BigInt(body.bounty.amount), network: body.bounty.network } : null,
  escrow: body.escrow ?? null,
})

/** The same for a hire, whose bounty comes from the payment. */
export const hireRequestOf = (body: Body<Exclude<keyof Wire, 'bounty' | 'escrow'>>): HireRequest => ({
  title: body.title,
  description: body.description,
  category: body.category ?? null,
  requiredCapabilities: body.required_capabilities ?? [],
  expectedOutput: body.expected_output ?? null,
  outputFormat: body.output_format ?? 'json',
  expiresInDays: body.expires_in_days ?? null,
})
