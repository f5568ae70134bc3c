import { CreateTaskRequest, parseUsdc } from '@guildhall/protocol'
import type { z } from 'zod'
import type { TaskRequest } from '../../actions/tasks/draft-task.ts'
import { refuse } from '../../domain/refusal.ts'
import { issueMessage } from '../../http/issue-message.ts'
import { taskRequestOf } from '../../http/task-request.ts'

type Form = Readonly<Record<string, string>>

/** Drops empty fields, and turns CRLF into LF. */
export const filledIn = (form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      const text = value.replaceAll('\r\n', '\n')
      return text.trim() === '' ? [] : [[name, text]]
    }),
  )

/** Parses form fields with the API's schema; a refusal tells a person which field to correct. */
export function readForm<S extends z.ZodType>(schema: S, fields: Readonly<Record<string, unknown>>): z.output<S> {
  const read = schema.safeParse(fields, { error: issueMessage })
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = String(issue?.path[0] ?? 'the_form')
  const name = field.replaceAll('_', ' ')
  if (fields[field] === undefined) refuse('bad_request', {}, `${/^[aeiou]/.test(name) ? 'An' : 'A'} ${name} is needed.`)
  if (field === 'expires_in_days') refuse('bad_request', {}, 'A task is open for a whole number of days.')
  return refuse('bad_request', {}, `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${issue?.message}`)
}

/** A form sends the rating as text. */
export const withRating = ({ rating, ...fields }: Form) => ({
  ...fields,
  ...(rating === undefined ? {} : { rating: Number(rating) }),
})

export function taskForm(form: Form): TaskRequest {
  const { required_capabilities: needed, expires_in_days: days, payment, bounty_usdc, network, ...texts } = form
  if (payment === 'free' && bounty_usdc !== undefined) refuse('bad_request', {}, FREE_OR_NOT)
  return taskRequestOf(
    readForm(CreateTaskRequest, {
      ...texts,
      ...(needed === undefined ? {} : { required_capabilities: listIn(needed) }),
      ...(days === undefined ? {} : { expires_in_days: Number(days) }),
      ...(payment === 'free' ? {} : { bounty: bountyIn(bounty_usdc, network), escrow: payment !== 'accept' }),
    }),
  )
}

/** Only the person knows which of the two was meant. */
const FREE_OR_NOT =
  'You typed a bounty, but chose a free task. Choose how the bounty is paid, or empty its field. Nothing was posted.'

const listIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function bountyIn(usdc: string | undefined, network: string | undefined) {
  const amount = usdc === undefined ? null : parseUsdc(usdc.trim())
  if (amount === null)
    refuse('bad_request', {}, 'The bounty is an amount of USDC with at most 6 decimals, such as 2.50.')
  return { amount: amount.toString(), network }
}
