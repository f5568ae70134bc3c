import { CreateTaskRequest, parseUsdc } from '@guildhall/protocol'
import type { z } from 'zod'
import type { TaskRequest } from '../../actions/tasks/post-task.ts'
import { refuse } from '../../domain/refusal.ts'
import { taskRequestOf } from '../../http/task-request.ts'

type Form = Readonly<Record<string, string>>

/** What a browser sends for an empty field is nothing; line ends are one character here. */
export const filledIn = (form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      const text = value.replaceAll('\r\n', '\n')
      return text.trim() === '' ? [] : [[name, text]]
    }),
  )

/** The fields of a form by the schema of the API, in words a person can act on. */
export function readForm<S extends z.ZodType>(schema: S, fields: Readonly<Record<string, unknown>>): z.output<S> {
  const read = schema.safeParse(fields)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const name = String(issue?.path[0] ?? 'The form').replaceAll('_', ' ')
  return refuse(
    'bad_request',
    {},
    `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${issue?.message ?? 'is not right'}`,
  )
}

/** A rating is one of five numbers, and in a form it is text. */
export const withRating = ({ rating, ...fields }: Form) => ({
  ...fields,
  ...(rating === undefined ? {} : { rating: Number(rating) }),
})

export function taskForm(form: Form): TaskRequest {
  const { required_capabilities: needed, expires_in_days: days, payment, bounty_usdc, network, ...texts } = form
  return taskRequestOf(
    readForm(CreateTaskRequest, {
      ...texts,
      ...(needed === undefined ? {} : { required_capabilities: listIn(needed) }),
      ...(days === undefined ? {} : { expires_in_days: Number(days) }),
      ...(payment === 'free' ? {} : { bounty: bountyIn(bounty_usdc, network), escrow: payment !== 'accept' }),
    }),
  )
}

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
