import {
  discoveryExtension,
  limits,
  OutputFormat,
  PostedCategory,
  paymentIdentifierExtension,
} from '@guildhall/protocol'

const { title, description, expiresInDays } = limits.task

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })

const fields = {
  title: text(title.max),
  description: text(description.max),
  category: { enum: PostedCategory.options },
  required_capabilities: { type: 'array', items: { type: 'string' } },
  expected_output: { type: 'string' },
  output_format: { enum: OutputFormat.options },
  network: { type: 'string' },
  expires_in_days: { type: 'integer', minimum: expiresInDays.min, maximum: expiresInDays.max },
}

/** A hire at a fixed price has no bounty in its body. */
export function hireExtensions(fixedPrice: boolean) {
  const bounty = fixedPrice ? {} : { bounty_usdc: { type: 'number' } }
  return {
    ...paymentIdentifierExtension,
    ...discoveryExtension({
      body: { title: 'Count to ten', description: 'In French.', ...(fixedPrice ? {} : { bounty_usdc: 2.5 }) },
      bodySchema: { type: 'object', properties: { ...fields, ...bounty }, required: ['title', 'description'] },
      answer: { ok: true, task_id: 'task_...', status: 'open', manage: { token: 'gmt_...' } },
    }),
  }
}
