import type { z } from 'zod'
import { GuildhallError } from './guildhall-error.ts'
import { localErrors } from './local-errors.ts'

const SHOWN_CHARACTERS = 500

/** Returns the answer as it is if it has the form, and throws `unexpected_answer` otherwise. */
export function inForm<T>(form: z.ZodType, answer: T): T {
  if (form.safeParse(answer).success) return answer
  const fields = { body: JSON.stringify(answer).slice(0, SHOWN_CHARACTERS) }
  throw new GuildhallError({ code: 'unexpected_answer', message: localErrors.unexpected_answer, fields, status: 200 })
}
