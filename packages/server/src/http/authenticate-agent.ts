import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import {
  agentIdOf,
  agentMessage,
  isNonce,
  isTimestampInRange,
  limits,
  parseAgentAuthorization,
  parseTimestamp,
} from '@guildhall/protocol'
import type { Agent } from '../domain/agent/agent.ts'
import type { Caller } from '../domain/caller.ts'
import { type Instant, unixSeconds } from '../domain/instant.ts'
import { refuse } from '../domain/refusal.ts'
import { headerText } from './header-text.ts'
import type { SignatureCheck } from './signature-check.ts'

export type FindAgent = (id: string) => Promise<Agent | null>

/** The parts of a request that a signature covers, as they came over the wire. */
export type ReceivedRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

const { min, max } = limits.agentSignature.nonce
const HASH_OF_NOTHING = hash('sha256', '')

/** Section 5.1 and decisions 2: the strict grammar first, then the clock, then the agent, then the signature. */
export async function authenticateAgent(
  findAgent: FindAgent,
  isSigned: SignatureCheck,
  request: ReceivedRequest,
  now: Instant,
): Promise<Caller> {
  const { authorization, timestamp, nonce } = readHeaders(request.headers)
  const serverTime = unixSeconds(now)
  if (!isTimestampInRange(timestamp, serverTime)) refuse('timestamp_out_of_range', { server_time: serverTime })

  const agent = await findAgent(agentIdOf(authorization.publicKey))
  if (agent === null) refuse('unknown_agent')

  const bodyHash = request.body.length === 0 ? HASH_OF_NOTHING : hash('sha256', request.body)
  const message = agentMessage({ method: request.method, path: request.path, timestamp, bodyHash, nonce })
  if (!(await isSigned(authorization, message))) refuse('invalid_signature')

  return {
    agent,
    signature: {
      hash: hash('sha256', authorization.signature, 'buffer'),
      text: authorization.signatureText,
      timestamp,
      nonce,
      bodyHash,
      publicKeyHex: Buffer.from(authorization.publicKeyBytes).toString('hex'),
    },
  }
}

function readHeaders(headers: IncomingHttpHeaders) {
  if (headers.authorization === undefined) refuse('auth_required')
  const authorization = parseAgentAuthorization(headers.authorization)
  if (authorization === null)
    refuse(
      'invalid_signature',
      {},
      'Authorization is AgentSig <base58 public key>:<base64 signature>, in canonical form.',
    )
  const timestamp = parseTimestamp(headerText(headers['x-timestamp']) ?? '')
  if (timestamp === null) refuse('invalid_signature', {}, 'X-Timestamp is the signed time in unix seconds, ten digits.')
  const nonce = headerText(headers['x-nonce'])
  if (nonce !== null && !isNonce(nonce))
    refuse('invalid_signature', {}, `X-Nonce has ${min} to ${max} characters of A-Z a-z 0-9 _ -.`)
  return { authorization, timestamp, nonce }
}
