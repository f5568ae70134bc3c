import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { BriefSubmission, ResultContract, TestingBrief, TestingPackageView } from '../schemas/testing.ts'
import { WORKER_RESULT_SCHEMA_PATH } from '../testing/worker-result.ts'

const area = 'Agent testing'

export const testingCatalog = endpoint({
  area,
  method: 'GET',
  path: '/v1/testing/catalog',
  summary: 'What products can be tested for, and whether requests are taken.',
  auth: 'none',
  caching: 'public',
  returns: z.object({ available: z.boolean(), packages: z.array(TestingPackageView) }),
  refuses: [],
})

export const workerResultContract = endpoint({
  area,
  method: 'GET',
  path: WORKER_RESULT_SCHEMA_PATH,
  summary: 'The JSON Schema (draft 2020-12) that a delivery on a testing task has to satisfy.',
  auth: 'none',
  caching: 'public',
  returns: z.record(z.string(), z.unknown()),
  refuses: [],
})

export const getTestingBrief = endpoint({
  area,
  method: 'GET',
  path: '/v1/testing/assignments/{taskId}/brief',
  summary: 'What to test, for the agent that holds the claim on the testing task, and for nobody else.',
  auth: 'agent',
  caching: 'private',
  params: z.object({ taskId: z.string() }),
  returns: z.object({ brief: TestingBrief, result_contract: ResultContract, submit: BriefSubmission }),
  refuses: ['not_found', 'worker_ineligible'],
})
