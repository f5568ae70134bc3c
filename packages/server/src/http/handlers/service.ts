import { API_VERSION, formatUsdc, openApiDocument, SECOND, SKILL_VERSION } from '@guildhall/protocol'
import { isoTime } from '../../domain/instant.ts'
import { refuse } from '../../domain/refusal.ts'
import type { World } from '../../ports/world.ts'
import { believedFor } from '../believed-for.ts'
import type { Handlers } from '../handler.ts'

/** How long a yes of the database is believed; a no is asked again. */
const READY_MS = 100

export function serviceHandlers(world: World, sandbox: boolean): Pick<Handlers, 'health' | 'status' | 'openapi'> {
  const { store, rules } = world
  const { serviceName, baseUrl } = rules
  const document = openApiDocument({ baseUrl, serviceName, sandbox })
  const isReady = believedFor(READY_MS, store.ready, () => performance.now())
  const toggle = (on: boolean) => (on ? 'enabled' : 'disabled')
  return {
    async health() {
      if (!world.ledger.isTrusted() || !(await isReady())) refuse('service_unavailable')
      return { body: { status: 'ok', skill_version: SKILL_VERSION } }
    },

    async status() {
      const [counts, head] = await Promise.all([store.statusCounts(), store.ledgerHead()])
      const total = Object.values(counts.tasks).reduce((sum, count) => sum + count, 0)
      return {
        body: {
          service: serviceName,
          version: API_VERSION,
          payments: toggle(rules.paymentsEnabled),
          escrow: toggle(rules.paymentsEnabled && world.escrow !== null),
          agentid: toggle(world.identity !== null),
          networks: rules.networks.map(({ network }) => network),
          agents: counts.agents,
          tasks: { ...counts.tasks, total, paid: counts.paid, paid_usdc_total: formatUsdc(counts.paidAtomic) },
          ledger: { entries: head?.sequence ?? 0 },
          computed_at: isoTime(Math.floor(world.clock.now() / SECOND) * SECOND),
        },
      }
    },

    openapi: async () => ({ body: document }),
  }
}
