import { agentOnboarding } from '../../discovery/agent-onboarding.ts'
import { publishedBy } from '../../discovery/published.ts'
import { serviceDescriptor } from '../../discovery/service-descriptor.ts'
import { x402Resources } from '../../discovery/x402-resources.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'

/** Built once: nothing in them changes while the service runs. */
export function discoveryHandlers(
  world: World,
  sandbox: boolean,
): Pick<Handlers, 'serviceDescriptor' | 'agentOnboarding' | 'x402Resources'> {
  const published = publishedBy(world, sandbox)
  const descriptor = { body: serviceDescriptor(published) }
  const onboarding = { body: agentOnboarding(published) }
  const resources = { body: x402Resources(published, world.clock.now()) }
  return {
    serviceDescriptor: async () => descriptor,
    agentOnboarding: async () => onboarding,
    x402Resources: async () => resources,
  }
}
