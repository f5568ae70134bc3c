import { errors } from '@guildhall/protocol'
import type { Refusal } from '../../domain/refusal.ts'

/** What a person is told when something could not be done, and with which status. */
export const problemOf = ({ code, message }: Refusal) => ({ status: errors[code].status, message })
