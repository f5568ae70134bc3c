import { endpoint } from '../endpoint.ts'
import { AgentOnboarding, ServiceDescriptor, X402Resources } from '../schemas/discovery.ts'

const found = { area: 'Discovery', method: 'GET', auth: 'none', caching: 'public', refuses: [] } as const

export const serviceDescriptor = endpoint({
  ...found,
  path: '/.well-known/service.json',
  alsoAt: ['/'],
  textsAt: { '/': ['text/html', 'text/markdown'] },
  summary: 'What this service is, where everything is, and by which rules it works.',
  returns: ServiceDescriptor,
})

export const agentOnboarding = endpoint({
  ...found,
  path: '/.well-known/agent.json',
  summary: 'The calls by which an agent registers, earns and hires, in their order.',
  returns: AgentOnboarding,
})

export const x402Resources = endpoint({
  ...found,
  path: '/.well-known/x402',
  alsoAt: ['/.well-known/x402.json'],
  summary: 'What can be paid for with x402 and no account, and whether escrow is enabled.',
  returns: X402Resources,
})
