import { expect, test } from 'vitest'
import { z } from 'zod'
import { issueMessage } from './issue-message.ts'

const toldOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: issueMessage }).error?.issues[0]?.message

test.each([
  [z.string(), undefined, 'Missing; a string is needed.'],
  [z.string(), null, 'A string is needed, not null.'],
  [z.string(), ['a'], 'A string is needed, not a list.'],
  [z.array(z.string()), 'a', 'A list is needed, not a string.'],
  [z.object({}), 5, 'An object is needed, not a number.'],
  [z.boolean(), 'true', 'True or false is needed, not a string.'],
  [z.number(), true, 'A number is needed, not true.'],
  [z.int(), 1.5, 'A whole number is needed.'],
  [z.enum(['json', 'link']), 'pdf', 'Only "json" or "link" is taken.'],
  [z.enum(['a', 'b', 'c']), 'd', 'Only "a", "b", or "c" is taken.'],
  [z.enum(['json', 'link']), undefined, 'Missing; "json" or "link" is needed.'],
  [z.literal(true), false, 'Only true is taken.'],
  [z.number().max(5), 6, 'At most 5 is allowed.'],
  [z.number().min(1), 0, 'At least 1 is needed.'],
  [z.array(z.string()).min(1), [], 'At least 1 item is needed.'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'At most 2 items are allowed.'],
  [z.string().min(1), '', 'At least 1 character is needed.'],
  [z.string().max(2), 'abc', 'At most 2 characters are allowed.'],
  [z.string('A name is needed.'), undefined, 'A name is needed.'],
])('%#: what a value must be is said in a sentence', (schema, value, told) => {
  expect(toldOf(schema, value)).toBe(told)
})
