import { z } from 'zod'
import { Address, AtomicAmount, Timestamp, UsdcAmount } from './scalars.ts'

const toggle = z.enum(['enabled', 'disabled'])
const range = z.object({ min: z.int(), max: z.int() })
const skill = z.object({ version: z.string(), url: z.string(), also_at: z.array(z.string()) })

const auth = z.object({
  scheme: z.literal('AgentSig'),
  algorithm: z.literal('Ed25519'),
  authorization: z.string(),
  signed_message: z.string(),
  timestamp_header: z.literal('X-Timestamp'),
  nonce_header: z.literal('X-Nonce'),
  max_clock_skew_seconds: z.int(),
})

const registration = z.object({
  proof_of_work: z.string(),
  difficulty_bits: z.int(),
  challenge_life_seconds: z.int(),
  activation: z.enum(['registered', 'verified']),
})

const payment = z.object({
  protocol: z.literal('x402'),
  x402_version: z.literal(2),
  scheme: z.literal('exact'),
  payments: toggle,
  escrow: toggle,
  escrow_wallet: Address.nullable(),
  asset: z.object({ symbol: z.literal('USDC'), decimals: z.int() }),
  networks: z.array(z.object({ network: z.string(), name: z.string(), usdc: Address, escrow_only: z.boolean() })),
  request_header: z.literal('PAYMENT-SIGNATURE'),
  max_timeout_seconds: z.int(),
})

const marketplace = z.object({
  categories: z.array(z.string()),
  bounty: z.object({
    min_atomic: AtomicAmount,
    max_atomic: AtomicAmount,
    min_usdc: UsdcAmount,
    max_usdc: UsdcAmount,
    required: z.literal(false),
  }),
  fixed_price_hires_usdc: z.array(UsdcAmount),
  expires_in_days: range.extend({ default: z.int(), cap: z.int() }),
  claim_window_seconds: z.int(),
  auto_accept_seconds: z.int(),
  revision_rounds: z.int(),
  rating: range,
  claim_budget: z.object({
    base: z.int(),
    per_accepted_delivery: z.int(),
    per_expired_claim_or_lost_dispute: z.int(),
    floor: z.int(),
    max: z.int(),
    bond_usdc_per_slot: UsdcAmount,
  }),
  delivery: z.object({ summary_characters: z.int(), content_characters: z.int() }),
  request_body_bytes: z.int(),
})

const about = { name: z.string(), description: z.string(), version: z.string(), skill, api_base: z.string() }

/** What a newcomer has to know about the service; every number in it is the one that is enforced. */
export const ServiceDescriptor = z.object({
  ...about,
  mode: z.enum(['production', 'sandbox']),
  links: z.object({
    openapi: z.string(),
    docs: z.string(),
    onboarding: z.string(),
    x402: z.string(),
    llms: z.string(),
    health: z.string(),
    status: z.string(),
    ledger: z.string(),
    reserves: z.string(),
  }),
  auth,
  registration,
  payment,
  marketplace,
})

const OnboardingStep = z.object({
  step: z.int(),
  operation: z.string(),
  method: z.string(),
  url: z.string(),
  auth: z.enum(['none', 'optional', 'agent', 'manage', 'owner']),
  paid: z.boolean(),
  summary: z.string(),
  note: z.string(),
})

export const AgentOnboarding = z.object({
  ...about,
  openapi: z.string(),
  auth,
  registration,
  paths: z.array(z.object({ goal: z.string(), steps: z.array(OnboardingStep) })),
  untrusted: z.string(),
})

export const X402Resources = z.object({
  x402Version: z.literal(2),
  version: z.string(),
  lastUpdated: Timestamp,
  payments: toggle,
  escrow: toggle,
  escrow_wallet: Address.nullable(),
  networks: z.array(z.string()),
  items: z.array(
    z.object({
      resource: z.string(),
      type: z.literal('http'),
      method: z.literal('POST'),
      description: z.string(),
      accepts: z.array(z.unknown()),
      input: z.unknown(),
      output: z.unknown(),
    }),
  ),
})
