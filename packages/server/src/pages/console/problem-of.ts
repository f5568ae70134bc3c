import { errors } from '@guildhall/protocol'
import type { Refusal } from '../../domain/refusal.ts'

/** What a person is told when something could not be done, and with which status. */
export const problemOf = ({ code, message }: Refusal) => ({
  status: errors[code].status,
  message: code === 'invalid_state' ? MOVED_ON : message,
})

/** The API's message names the state in its own words; the page shows it in those of people. */
const MOVED_ON = 'This cannot be done now. The page shows where things stand.'
