import { type Endpoint, type ErrorCode, refusalsOf } from '@guildhall/protocol'

/** Whether an endpoint waits for an outside service before it answers: never, with a payment, or on every call. */
export type Waits = 'never' | 'when paid' | 'always'

const ASKING: readonly ErrorCode[] = ['skill_registry_unavailable', 'agentid_unavailable']
const MOVING_MONEY: readonly ErrorCode[] = [
  'facilitator_unavailable',
  'payment_in_flight',
  'escrow_unavailable',
  'wallet_proof_unavailable',
]

/** Derived from the declared refusals. GET endpoints read the database, not the chain. */
export function waitsOf(declared: Endpoint): Waits {
  const codes = refusalsOf(declared)
  if (ASKING.some((code) => codes.includes(code))) return 'always'
  if (declared.method === 'GET' || !MOVING_MONEY.some((code) => codes.includes(code))) return 'never'
  const takesDeposits = declared.paid === true && codes.includes('escrow_unavailable')
  return takesDeposits ? 'when paid' : 'always'
}
