import { z } from 'zod'
import { HOUR } from '../durations.ts'
import { endpoint } from '../endpoint.ts'
import { isId } from '../ids.ts'
import { limits } from '../limits.ts'
import { EmailAddress } from '../schemas/owner.ts'
import { queryInteger } from '../schemas/scalars.ts'
import { TestingIntake, TestingReport, TestingRequestView, TestingRunView, TestingScope } from '../schemas/testing.ts'

const area = 'Agent testing'
const ok = z.literal(true)
const params = z.object({ id: z.string() })
const { testing, list } = limits
const perOwner = {
  name: 'testing-requests',
  per: 'owner',
  counts: 'done',
  points: testing.requestsPerHourPerOwner,
  windowMs: HOUR,
} as const

export const submitIntake = endpoint({
  area,
  method: 'POST',
  path: '/v1/testing/intake',
  summary:
    'Ask for a test of a product without being signed in. A link is mailed; opening and confirming it confirms the request. The answer is always the same.',
  auth: 'none',
  limit: { name: 'testing-intake', per: 'ip', counts: 'done', points: testing.intakesPerHourPerIp, windowMs: HOUR },
  addressLimit: {
    name: 'testing-intake-address',
    per: 'address',
    counts: 'done',
    points: testing.intakesPerHourPerAddress,
    windowMs: HOUR,
  },
  body: z.object({ email: EmailAddress, intake: TestingIntake }),
  bodyError: 'intake_invalid',
  status: 202,
  returns: z.object({ ok, message: z.string(), link_valid_seconds: z.int() }),
  refuses: ['testing_unavailable', 'mail_unavailable', 'intake_invalid'],
})

const asked = z.object({ ok, request: TestingRequestView })

export const createTestingRequest = endpoint({
  area,
  method: 'POST',
  path: '/v1/owner/testing/requests',
  summary: 'Ask for a test of a product. An operator looks at it first.',
  auth: 'owner',
  limit: perOwner,
  body: z.object({ intake: TestingIntake }),
  bodyError: 'intake_invalid',
  status: 201,
  returns: asked,
  refuses: ['testing_unavailable', 'intake_invalid'],
})

export const listTestingRequests = endpoint({
  area,
  method: 'GET',
  path: '/v1/owner/testing/requests',
  summary: 'Your requests, newest first, and those that wait for you to confirm them.',
  auth: 'owner',
  query: z.object({
    cursor: z
      .string()
      .refine((text) => isId('treq', text), 'Send next_cursor of the page before.')
      .optional()
      .meta({ description: 'next_cursor of the page before: older requests follow' }),
    limit: queryInteger(1, list.max, list.default),
  }),
  queryErrors: { cursor: 'invalid_cursor' },
  returns: z.object({ ok, requests: z.array(TestingRequestView), next_cursor: z.string().nullable() }),
  refuses: [],
})

export const getTestingRequest = endpoint({
  area,
  method: 'GET',
  path: '/v1/owner/testing/requests/{id}',
  summary: 'One of your requests: where it stands, its runs, and the report once all of them have ended.',
  auth: 'owner',
  params,
  returns: z.object({
    ok,
    request: TestingRequestView,
    scope: TestingScope,
    runs: z.array(TestingRunView),
    report: TestingReport.nullable(),
  }),
  refuses: ['not_found'],
})

export const confirmTestingRequest = endpoint({
  area,
  method: 'POST',
  path: '/v1/owner/testing/requests/{id}/confirm',
  summary: 'Confirm a request that was sent in under your address.',
  auth: 'owner',
  params,
  returns: asked,
  refuses: ['not_found', 'invalid_state', 'rate_limited'],
})

export const retestProduct = endpoint({
  area,
  method: 'POST',
  path: '/v1/owner/testing/requests/{id}/retest',
  summary: 'Ask for the same test again, once there is a report.',
  auth: 'owner',
  limit: perOwner,
  params,
  status: 201,
  returns: asked,
  refuses: ['not_found', 'invalid_state', 'testing_unavailable'],
})
