import type { EndpointName } from '@guildhall/protocol'
import type { Answer } from './call-types.ts'

type Found = Answer<'getTask'>

/** Whether the task says all that the answer would have said: a hire's manage token, for one, is shown only once. */
export const isInTask = (name: EndpointName): boolean => name in REBUILT

/** The answer that a paid call would have given, rebuilt from the task that it paid for. */
export const answerFromTask = (name: EndpointName, found: Found): unknown => REBUILT[name]?.(found)

const funded = ({ task }: Found): Answer<'fundTask'> => ({
  ok: true,
  task_id: task.task_id,
  status: task.status,
  payment_status: task.payment_status,
  escrow: task.escrow,
  claimable: task.claimable,
  deposit_tx_hash: task.escrow?.deposit_tx_hash ?? null,
})

const posted = (found: Found): Answer<'createTask'> => ({
  ...funded(found),
  bounty: found.task.bounty,
  settle_error: found.task.escrow?.settle_error ?? null,
})

const accepted = ({ task }: Found): Answer<'acceptTask'> => ({
  ok: true,
  task_id: task.task_id,
  status: task.status,
  accepted_by: task.accepted_by,
  payment_status: task.payment_status,
  payment_tx_hash: task.payment_tx_hash,
  settle_error: task.last_settle_error,
  chain_sequence: null,
  chain_entry_hash: null,
  rating: task.rating,
})

const REBUILT: Readonly<Partial<Record<EndpointName, (found: Found) => unknown>>> = {
  createTask: posted,
  fundTask: funded,
  acceptTask: accepted,
  verifyTask: accepted,
}
