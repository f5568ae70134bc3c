import { SECOND } from '@guildhall/protocol'
import { isoTime, isoTimeOrNull } from '../../domain/instant.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'

/** The state of one authorization, for anyone who knows its payer and nonce. */
export function authorizationView(transfer: Transfer) {
  const { authorization, purpose, taskId, txHash, settledAt, lastError } = transfer
  const { network, from, nonce, validBefore } = authorization
  return {
    network,
    payer: from,
    nonce,
    state: stateOf(transfer),
    purpose,
    task_id: taskId,
    tx_hash: txHash,
    settled_at: isoTimeOrNull(settledAt),
    valid_before: validBefore === 0n ? null : isoTime(Number(validBefore) * SECOND),
    last_error: lastError,
  }
}

/** Once it may have been sent, the state is unknown until the chain shows it; with its nonce spent otherwise it is dead. */
function stateOf({ state, signature, attempts }: Transfer): 'unknown' | 'intended' | 'settled' | 'dead' {
  if (state === 'settled' || state === 'dead') return state
  if (state === 'superseded') return 'dead'
  return signature !== null && attempts > 0 ? 'unknown' : 'intended'
}
