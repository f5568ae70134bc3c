import type { EndpointName } from '@guildhall/protocol'
import type { Answer } from './call-types.ts'

type Found = Answer<'getTask'>

/** The answer that a paid call would have given, rebuilt from the task that it paid for. */
export function answerFromTask(name: EndpointName, found: Found): unknown {
  if (name === 'createTask') return posted(found)
  if (name === 'fundTask') return funded(found)
  return accepted(found)
}

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
