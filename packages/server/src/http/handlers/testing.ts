import { TESTING_PACKAGES, workerResultSchema } from '@guildhall/protocol'
import { readBrief } from '../../actions/testing/read-brief.ts'
import { canPayForTests } from '../../actions/testing/sign-house-deposit.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { briefView, packageView } from '../views/testing-view.ts'

type TestingHandlers = Pick<Handlers, 'testingCatalog' | 'workerResultContract' | 'getTestingBrief'>

export const testingHandlers = (world: World): TestingHandlers => ({
  async testingCatalog() {
    return { body: { available: canPayForTests(world), packages: TESTING_PACKAGES.map(packageView) } }
  },
  async workerResultContract() {
    return { body: workerResultSchema }
  },
  async getTestingBrief({ params, caller }) {
    return { body: briefView(await readBrief(world, caller, params.taskId), world.rules.baseUrl) }
  },
})
