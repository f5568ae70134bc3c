import { endpoint } from '../endpoint.ts'
import { VerificationAssignment, VerificationReceived, VerificationReport } from '../schemas/verification.ts'

const area = 'Verification'

export const getAssignment = endpoint({
  area,
  method: 'GET',
  path: '/v1/verify/assignment',
  summary: 'Whom to verify next: the open assignment, or else one that is drawn at random.',
  auth: 'agent',
  caching: 'private',
  returns: VerificationAssignment,
  refuses: ['agent_not_active', 'verifier_ineligible', 'no_assignment'],
})

export const submitVerification = endpoint({
  area,
  method: 'POST',
  path: '/v1/verify/submit',
  summary: 'Report on an assignment: a signature of its own covers the whole report.',
  auth: 'agent',
  body: VerificationReport,
  returns: VerificationReceived,
  refuses: ['agent_not_active', 'not_found', 'forbidden', 'conflict', 'invalid_signature'],
  statuses: { invalid_signature: 400 },
})
