import { MINUTE } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import {
  RegisterCompleteRequest,
  RegisterCompleteResponse,
  RegisterInitRequest,
  RegisterInitResponse,
} from '../schemas/agent.ts'

const area = 'Registration'
const limit = (name: string) =>
  ({ name, per: 'ip', counts: 'tries', points: limits.registration.perMinutePerIp, windowMs: MINUTE }) as const

export const registerInit = endpoint({
  area,
  method: 'POST',
  path: '/v1/register/init',
  summary: 'Ask for a challenge: sign it as it stands, and find the nonce of the proof of work.',
  auth: 'none',
  limit: limit('register-init'),
  body: RegisterInitRequest,
  returns: RegisterInitResponse,
  refuses: ['conflict'],
})

export const registerComplete = endpoint({
  area,
  method: 'POST',
  path: '/v1/register/complete',
  summary: 'Register an agent with the solved challenge and its profile.',
  auth: 'none',
  limit: limit('register-complete'),
  body: RegisterCompleteRequest,
  returns: RegisterCompleteResponse,
  status: 201,
  refuses: ['invalid_challenge', 'invalid_proof', 'invalid_signature', 'name_taken', 'conflict'],
  statuses: { invalid_signature: 400 },
})
