import { limits } from '../limits.ts'
import { isFields } from './fields.ts'
import type { PaymentPayload } from './payment-payload.ts'

const NAME = 'payment-identifier'

/** Says in a 402 that a payment may carry the client's own id, by which its answer can be fetched again. */
export const paymentIdentifierExtension = {
  [NAME]: {
    info: { required: false },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        required: { type: 'boolean' },
        id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
      },
      required: ['required'],
    },
  },
} as const

/** The id that a client gave its payment; null when it gave none, since clients also echo the bare offer of one. */
export function paymentIdentifierOf({ extensions }: Pick<PaymentPayload, 'extensions'>): string | 'malformed' | null {
  const extension = Object.hasOwn(extensions, NAME) ? extensions[NAME] : undefined
  const info = isFields(extension) ? extension.info : undefined
  const id = isFields(info) ? info.id : undefined
  if (id === undefined || id === null) return null
  return typeof id === 'string' && limits.paymentIdentifier.pattern.test(id) ? id : 'malformed'
}
