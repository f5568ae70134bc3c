import { expect, test } from 'vitest'
import { describeType } from './describe-type.ts'
import type { Schema } from './openapi.ts'

test.each<[Schema, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'string', minLength: 1, maxLength: 200 }, 'string (1 to 200 characters)'],
  [{ type: 'string', minLength: 0, maxLength: 200 }, 'string (at most 200 characters)'],
  [{ type: 'string', format: 'date-time' }, 'time'],
  [{ type: 'integer', minimum: 1, maximum: 100, default: 20 }, 'integer (1 to 100, 20 by default)'],
  [{ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, 'integer'],
  [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'integer (at least 1)'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
  [{ anyOf: [{ type: 'number' }, { type: 'string' }] }, 'number or string'],
  [{ anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }] }, 'number or string or null'],
  [
    { maximum: 90, anyOf: [{ type: 'integer', minimum: 1, maximum: 999 }, { type: 'null' }] },
    'integer (1 to 90) or null',
  ],
  [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
  [{ type: 'boolean', const: true }, 'true'],
  [
    { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 64 } },
    'array (at most 20 items) of string (at most 64 characters)',
  ],
  [{ type: 'array' }, 'array of anything'],
  [{}, 'anything'],
])('%j reads %s', (schema, words) => {
  expect(describeType(schema)).toBe(words)
})
