import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Timestamp, UsdcAmount } from '../schemas/scalars.ts'

const area = 'Service'
const toggle = z.enum(['enabled', 'disabled'])

export const health = endpoint({
  area,
  method: 'GET',
  path: '/v1/health',
  summary: 'Whether this node takes requests.',
  auth: 'none',
  returns: z.object({ status: z.literal('ok'), skill_version: z.string() }),
  refuses: [],
})

export const status = endpoint({
  area,
  method: 'GET',
  path: '/v1/status',
  summary: 'Counts of the registry and the marketplace.',
  auth: 'none',
  caching: 'public',
  returns: z.object({
    service: z.string(),
    version: z.string(),
    payments: toggle,
    escrow: toggle,
    agentid: toggle,
    networks: z.array(z.string()),
    agents: z.object({ total: z.int(), active: z.int() }),
    tasks: z.object({
      open: z.int(),
      claimed: z.int(),
      submitted: z.int(),
      verified: z.int(),
      closed: z.int(),
      cancelled: z.int(),
      expired: z.int(),
      total: z.int(),
      paid: z.int(),
      paid_usdc_total: UsdcAmount,
    }),
    ledger: z.object({ entries: z.int() }),
    computed_at: Timestamp,
  }),
  refuses: [],
})

export const openapi = endpoint({
  area,
  method: 'GET',
  path: '/v1/openapi.json',
  alsoAt: ['/openapi.json'],
  summary: 'This description.',
  auth: 'none',
  caching: 'public',
  returns: z.record(z.string(), z.unknown()),
  refuses: [],
})
