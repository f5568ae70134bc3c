import { endpoints, limits, SECOND } from '@guildhall/protocol'
import { confirmRequest } from '../../actions/testing/confirm-request.ts'
import { readRequest } from '../../actions/testing/read-request.ts'
import { requestTest, retestProduct } from '../../actions/testing/request-test.ts'
import { submitIntake } from '../../actions/testing/submit-intake.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import type { World } from '../../ports/world.ts'
import { networkOf } from '../client-ip.ts'
import type { Handlers } from '../handler.ts'
import { standingHeader } from '../rate-limit.ts'
import { requestFileView, testingRequestView } from '../views/testing-request-view.ts'

type OwnerTestingHandlers = Pick<
  Handlers,
  | 'submitIntake'
  | 'createTestingRequest'
  | 'listTestingRequests'
  | 'getTestingRequest'
  | 'confirmTestingRequest'
  | 'retestProduct'
>

const TAKEN = {
  ok: true,
  message: 'A link has been mailed to this address. Open it and confirm: an operator then looks at the request.',
  link_valid_seconds: limits.owner.linkMs / SECOND,
} as const

const asked = (request: TestingRequest) => ({ body: { ok: true as const, request: testingRequestView(request) } })

export function ownerTestingHandlers(world: World): OwnerTestingHandlers {
  return {
    async submitIntake({ body, held, context }) {
      const network = networkOf(context.ip)
      const standing = await submitIntake(world, { email: body.email, intake: body.intake, network, held })
      return { headers: standingHeader(endpoints.submitIntake.limit, standing), body: TAKEN }
    },

    createTestingRequest: async ({ body, caller }) => asked(await requestTest(world, caller, body.intake)),

    async listTestingRequests({ query, caller }) {
      const { id: ownerId, email } = caller.owner
      const page = { ownerId, email, before: query.cursor ?? null, limit: query.limit + 1 }
      const found = await world.store.ownerTestingRequests(page)
      const shown = found.slice(0, query.limit)
      const next_cursor = found.length > query.limit ? (shown.at(-1)?.id ?? null) : null
      return { body: { ok: true, requests: shown.map(testingRequestView), next_cursor } }
    },

    async getTestingRequest({ params, caller }) {
      return { body: { ok: true, ...requestFileView(await readRequest(world, caller, params.id)) } }
    },

    confirmTestingRequest: async ({ params, caller }) => asked(await confirmRequest(world, caller, params.id)),
    retestProduct: async ({ params, caller }) => asked(await retestProduct(world, caller, params.id)),
  }
}
