import { type Refusal, refusal } from '../../domain/refusal.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'

const PAID_A_BOND =
  'This payment authorization has paid a claim bond already: GET /v1/agents/me/claim-budget shows it once it has settled. Sign a new one to pay for something else.'

/** Says what the authorization paid for. A bond belongs to no task. */
export const authorizationReused = (recorded: Transfer | null): Refusal =>
  recorded?.purpose === 'bond'
    ? refusal('authorization_reused', { task_id: null }, PAID_A_BOND)
    : refusal('authorization_reused', { task_id: recorded?.taskId ?? null })
