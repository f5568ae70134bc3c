import { openApiDocument, SKILL_VERSION } from '@guildhall/protocol'
import { believedFor } from '../../believed-for.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { documentOf } from '../documents/document.ts'
import { serviceStatus } from '../documents/service-status.ts'
import type { Handlers } from '../handler.ts'

/** How long the database's yes is cached; a no is not. */
const READY_MS = 100

export function serviceHandlers(world: World, sandbox: boolean): Pick<Handlers, 'health' | 'status' | 'openapi'> {
  const { store, rules } = world
  const { serviceName, baseUrl } = rules
  const document = documentOf(openApiDocument({ baseUrl, serviceName, sandbox }))
  const isReady = believedFor(READY_MS, store.ready, () => performance.now())
  return {
    async health() {
      if (!world.ledger.isTrusted() || !(await isReady())) refuse('service_unavailable')
      return { body: { status: 'ok', skill_version: SKILL_VERSION } }
    },

    status: async () => ({ body: await serviceStatus(world) }),

    openapi: async () => ({ document }),
  }
}
