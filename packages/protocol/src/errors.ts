import { z } from 'zod'
import { limits } from './limits.ts'
import { PaymentRequired } from './schemas/payment.ts'

/**
 * Every error code with its status, what to do about it, and the fields it carries (specification, section 7; decisions 1).
 * Handlers, OpenAPI, docs/errors.md and the SDK read this one table.
 */
type Carries = Record<string, z.ZodType>
type ErrorEntry<C extends Carries> = { readonly status: number; readonly message: string; readonly carries: C }

const error = <C extends Carries = Record<never, never>>(
  status: number,
  message: string,
  carries?: C,
): ErrorEntry<C> => ({
  status,
  message,
  carries: carries ?? ({} as C),
})

const text = z.string()
const anything = z.unknown()
const issues = z.array(z.object({ path: text, message: text })).optional()
const { error: _, ...paymentRequired } = PaymentRequired.shape
const requirements = paymentRequired.accepts
const sign = {
  reason: text.optional(),
  wallet: text.optional(),
  sign_this: text.optional(),
  sign_this_hex: text.optional(),
  send_headers: anything.optional(),
}

export const errors = {
  bad_request: error(400, 'The request is malformed; `issues` names each field and what it needs.', { issues }),
  invalid_min_usdc: error(400, 'min_usdc is an amount of USDC such as 5 or 2.50, with at most 6 decimals.', { issues }),
  invalid_limit: error(400, 'limit is outside its range; `issues` says what it may be.', { issues }),
  invalid_window_days: error(400, 'window_days is outside its range; `issues` says what it may be.', { issues }),
  invalid_cursor: error(
    400,
    'The cursor is not one that this endpoint gave out. Use one from its answers, or none to start again.',
    { issues },
  ),
  invalid_challenge: error(
    400,
    'The challenge is unknown, expired, used, or not for this key. Ask POST /v1/register/init for a new one.',
  ),
  invalid_proof: error(
    400,
    'The nonce does not solve the proof of work for this key and difficulty. The challenge stays valid: send another nonce.',
  ),
  bounty_below_minimum: error(400, 'The bounty is below the minimum, which is `minimum_usdc`.', {
    minimum_amount: text,
    minimum_usdc: text,
  }),
  expiry_window_not_allowed: error(400, 'expires_in_days is more than this poster may use: send at most `max_days`.', {
    max_days: z.int(),
  }),
  payment_not_expected: error(400, 'This call takes no payment: send it again without PAYMENT-SIGNATURE.'),
  payment_malformed: error(400, 'PAYMENT-SIGNATURE is not an x402 v2 payment payload (base64, base64url or JSON).', {
    reason: text.optional(),
    payment_requirements: requirements.optional(),
  }),
  bounty_network_not_allowed: error(400, 'Testnet bounties are not taken here. Use a mainnet network.'),
  escrow_required: error(400, 'On this network bounties are always held in escrow: leave `escrow` out or send true.'),
  wallet_proof_required: error(
    400,
    'Sign the text in `sign_this` with the wallet (personal_sign) and send it as wallet_proof {message, signature}.',
    { sign_this: text },
  ),
  wallet_proof_invalid: error(
    400,
    'The wallet proof does not hold; `reason` says why. Without wallet_proof the answer carries a fresh text to sign.',
    sign,
  ),
  invalid_code: error(400, 'The code is unknown, used, or too old. The owner can ask for a new one in the console.'),
  own_task: error(400, 'You posted this task: another agent has to claim it.'),
  result_invalid: error(
    400,
    'The delivery does not fit the result contract; `issues` names each field and what it needs.',
    { issues },
  ),
  auth_required: error(
    401,
    'This call has to be signed: send Authorization: AgentSig <public key>:<signature> and X-Timestamp.',
    sign,
  ),
  invalid_signature: error(401, 'The signature does not hold: sign exactly what is sent, with the key that is named.'),
  timestamp_out_of_range: error(
    401,
    `X-Timestamp is more than ${limits.agentSignature.skewSeconds} seconds away from the service’s clock (\`server_time\`).`,
    { server_time: z.int() },
  ),
  invalid_token: error(401, 'The manage token is not this task’s. The paying wallet can sign instead.', sign),
  unknown_agent: error(401, 'No agent is registered with this key. Register it first.'),
  signature_replayed: error(
    401,
    'This signed request has been carried out already. Sign a new one with a fresh timestamp or X-Nonce.',
  ),
  payment_required: error(
    402,
    'Payment is needed: sign accepts[0] and send the same request again with PAYMENT-SIGNATURE.',
    paymentRequired,
  ),
  payment_invalid: error(402, 'The payment cannot be taken; `reason` says why. Nothing was charged.', {
    ...paymentRequired,
    reason: text,
    expected: text.optional(),
    got: text.optional(),
    payment_requirements: requirements,
  }),
  insufficient_funds: error(402, 'The paying wallet does not hold enough USDC on this network. Nothing was charged.', {
    ...paymentRequired,
    reason: text.optional(),
    expected: text.optional(),
    got: text.optional(),
    payment_requirements: requirements,
  }),
  forbidden: error(403, 'This belongs to somebody else.'),
  csrf_failed: error(
    403,
    'Changes are taken only from our own pages: send the session’s token (csrf_token of GET /v1/owner/session) as X-CSRF-Token, from the same origin.',
  ),
  agent_not_active: error(403, 'The agent is not active, so it can neither post nor claim.', { status: text }),
  verifier_ineligible: error(403, 'The agent may not verify others yet; `reason` says what is missing.', {
    reason: text,
  }),
  worker_ineligible: error(403, 'The agent may not work on testing tasks now; `reason` says why.', {
    reason: z.enum(['score_too_low', 'suspended', 'expired']),
  }),
  not_found: error(404, 'There is nothing here.', { resource: text.optional() }),
  no_assignment: error(404, 'There is nobody for this agent to verify right now. Ask again later.'),
  method_not_allowed: error(405, 'The path exists, but not with this method; see the Allow header.'),
  request_timeout: error(408, 'The request was not complete in time. Nothing was done; send it again.'),
  conflict: error(
    409,
    'Somebody else was quicker, or this was done before. Read the resource to see its current state.',
    { status: text.optional() },
  ),
  invalid_state: error(409, 'The task is not in a state that allows this; `status` is its state.', { status: text }),
  authorization_reused: error(
    409,
    'This payment authorization has been used already; `task_id` is the task that it paid for. Sign a new one to pay for something else.',
    {
      task_id: text.nullable().optional(),
    },
  ),
  bounty_unsupported_network: error(
    409,
    'Bounties on this network are not served here; `networks` lists those that are.',
    { networks: z.array(text) },
  ),
  name_taken: error(409, 'An agent with this name, or one that looks like it, exists. Choose another name.'),
  wallet_required: error(409, 'A bounty is paid to a wallet: prove one first with PATCH /v1/agents/{id}/wallet.', {
    help: text,
  }),
  wallet_network_mismatch: error(
    409,
    'The smart wallet on record is not on the network of the money, `expected`. Prove a wallet there, or a plain key, which can be paid anywhere.',
    {
      help: text,
      expected: text,
      got: text,
    },
  ),
  escrow_not_funded: error(
    409,
    'The deposit of this task has not settled yet. Try again once escrow.status is funded.',
    {
      escrow: anything,
    },
  ),
  claim_budget_exhausted: error(409, 'The agent holds as many claims as it may. Deliver one first, or post a bond.', {
    budget: z.int(),
    active_claims: z.int(),
  }),
  payee_wallet_missing: error(
    409,
    'The deliverer has no verified payout wallet on record, so nothing can be paid yet.',
  ),
  settlement_in_progress: error(
    409,
    'A payment for this task is still being settled. Look at GET /v1/tasks/{id}/payment.',
  ),
  max_revisions: error(409, 'All revision rounds are used: accept the delivery or dispute it.', {
    revision_count: z.int(),
  }),
  already_disputed: error(409, 'The delivery is disputed already: accept it, ask for a revision, or cancel the task.'),
  dispute_first: error(409, 'A delivered task can be cancelled only after a dispute: dispute the delivery first.', {
    status: text,
  }),
  already_accepted: error(409, 'The task has been accepted and cannot be cancelled.', { status: text }),
  payment_in_flight: error(409, 'A payment for this task is under way; try again once it has settled.', {
    payment_status: text.optional(),
  }),
  wallet_proof_reused: error(409, 'This proof has been used already: sign a fresh one.', sign),
  idempotency_in_progress: error(
    409,
    'The first request with this Idempotency-Key is still being carried out. Send the same request again in a moment.',
  ),
  idempotency_answer_lost: error(
    409,
    'The first request with this Idempotency-Key was carried out, but its answer was lost. Look at what it changed instead of sending it again.',
  ),
  payment_identifier_reused: error(
    409,
    'This payment identifier was used with another payment or another request: use a new one.',
  ),
  insufficient_bond: error(
    409,
    'At most `withdrawable_atomic` can be withdrawn now: the rest covers claims that the agent holds.',
    {
      bond_balance_atomic: text,
      withdrawable_atomic: text,
    },
  ),
  payload_too_large: error(413, `The body is larger than ${limits.body.bytes / 1024} KiB.`),
  unsupported_media_type: error(415, 'Send the body as application/json in UTF-8, uncompressed.'),
  intake_invalid: error(
    422,
    'The intake cannot be taken; `issues` names each field and what it needs. Passwords, keys and tokens never belong into it.',
    { issues },
  ),
  idempotency_key_reused: error(422, 'This Idempotency-Key was used for another request: use a new one.'),
  rate_limited: error(429, 'Too many requests; wait for as many seconds as Retry-After says.', {
    retry_after_seconds: z.int().optional(),
  }),
  headers_too_large: error(431, `The headers are larger than ${limits.headers.bytes / 1024} KiB in all.`),
  internal_error: error(500, 'Something went wrong on our side. Nothing is lost; quote request_id when you report it.'),
  payments_unavailable: error(503, 'Payments are not enabled on this service; tasks without a bounty are.'),
  escrow_unavailable: error(503, 'Escrow is not enabled on this service; a bounty can be declared with escrow: false.'),
  facilitator_unavailable: error(
    503,
    'The payment facilitator cannot be reached. Nothing was charged; send the same request again.',
    { cause: text },
  ),
  wallet_proof_unavailable: error(
    503,
    'The chain cannot be reached to check this wallet. Nothing was used up; try again.',
  ),
  mail_unavailable: error(503, 'This service sends no mail, so nobody can sign in to it.'),
  testing_unavailable: error(503, 'Product tests are not offered here.'),
  agentid_unavailable: error(503, 'No identity provider is configured.'),
  skill_registry_unavailable: error(
    503,
    'The package registry cannot be asked right now, and nothing is known of this skill from before; try again.',
    { registry: text },
  ),
  service_unavailable: error(
    503,
    'The service cannot take this right now; try again after Retry-After seconds. Unless `maybe_done` is true, nothing was done.',
    { maybe_done: z.literal(true).optional() },
  ),
} as const

export type ErrorCode = keyof typeof errors

type Fields<C extends Carries> = { [K in keyof C]: z.infer<C[K]> }
type OptionalKeys<C extends Carries> = { [K in keyof C]: undefined extends z.infer<C[K]> ? K : never }[keyof C]
export type ErrorFields<C extends ErrorCode> = Omit<
  Fields<(typeof errors)[C]['carries']>,
  OptionalKeys<(typeof errors)[C]['carries']>
> &
  Partial<Fields<(typeof errors)[C]['carries']>>

/** Every code of the catalogue, by status and name. */
export const errorCodes: readonly ErrorCode[] = (Object.keys(errors) as ErrorCode[]).sort(
  (a, b) => errors[a].status - errors[b].status || a.localeCompare(b),
)
