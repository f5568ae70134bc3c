import { API_VERSION, formatUsdc, SECOND } from '@guildhall/protocol'
import { isoTime } from '../../domain/instant.ts'
import type { World } from '../../ports/world.ts'

/** What is switched on, and the counts of the registry and the marketplace. */
export async function serviceStatus({ store, rules, escrow, identity, clock }: World) {
  const [counts, head] = await Promise.all([store.statusCounts(), store.ledgerHead()])
  const total = Object.values(counts.tasks).reduce((sum, count) => sum + count, 0)
  return {
    service: rules.serviceName,
    version: API_VERSION,
    payments: toggle(rules.paymentsEnabled),
    escrow: toggle(rules.paymentsEnabled && escrow !== null),
    agentid: toggle(identity !== null),
    networks: rules.networks.map(({ network }) => network),
    agents: counts.agents,
    tasks: { ...counts.tasks, total, paid: counts.paid, paid_usdc_total: formatUsdc(counts.paidAtomic) },
    ledger: { entries: head?.sequence ?? 0 },
    computed_at: isoTime(Math.floor(clock.now() / SECOND) * SECOND),
  }
}

const toggle = (on: boolean): 'enabled' | 'disabled' => (on ? 'enabled' : 'disabled')
