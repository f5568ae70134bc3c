import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Address, optional, Timestamp, TransactionHash, UsdcAmount } from '../schemas/scalars.ts'
import { parseUsdc } from '../usdc.ts'

const area = 'Sandbox'
const shared = { area, auth: 'none', sandboxOnly: true } as const
const MOST = '0.000001 to 999999999.999999 USDC are minted at once, with at most 6 decimals.'
const usdc = z.union([z.number(), z.string()], MOST).refine((amount) => (parseUsdc(amount) ?? 0n) > 0n, MOST)

export const sandbox = endpoint({
  ...shared,
  method: 'GET',
  path: '/v1/sandbox',
  summary: 'Where the play parts are, and what time it is here.',
  returns: z.object({
    now: Timestamp,
    networks: z.array(
      z.object({ network: z.string(), rpc_url: z.string(), usdc: Address, escrow_wallet: Address.nullable() }),
    ),
    facilitator_url: z.string(),
    mail_url: z.string(),
    identity_url: z.string().meta({ description: 'the OpenID provider' }),
  }),
  refuses: [],
})

export const faucet = endpoint({
  ...shared,
  method: 'POST',
  path: '/v1/sandbox/faucet',
  summary: 'Mint play USDC.',
  body: z.object({
    address: Address,
    network: z.string(),
    usdc: usdc.meta({ description: 'number or decimal string' }),
  }),
  returns: z.object({ tx_hash: TransactionHash, balance_usdc: UsdcAmount }),
  refuses: ['bounty_unsupported_network'],
})

export const moveClock = endpoint({
  ...shared,
  method: 'POST',
  path: '/v1/sandbox/clock',
  summary: 'Move the clock of the service and of the chains forward, and run everything that fell due.',
  body: z.object({
    advance_seconds: z
      .int()
      .min(0)
      .max(366 * 86_400),
  }),
  returns: z.object({ now: Timestamp }),
  refuses: [],
})

export const setFaults = endpoint({
  ...shared,
  method: 'POST',
  path: '/v1/sandbox/faults',
  summary: 'Make the real parts fail for a while.',
  body: z.object({
    facilitator: optional(
      z.enum(['ok', 'down', 'slow', 'settle_reverts', 'response_lost', 'lies_settled', 'lies_failed']),
    ),
    rpc: optional(z.enum(['ok', 'down'])),
    times: optional(z.int().min(1).max(1_000_000)),
  }),
  returns: z.object({
    ok: z.literal(true),
    facilitator: z.string().meta({ description: 'the fault that is in force now' }),
    rpc: z.string().meta({ description: 'down while the service cannot reach one of the chains' }),
  }),
  refuses: [],
})
