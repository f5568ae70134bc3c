import { type Endpoints, formatUsdc, networkById, PostedCategory, SECOND, USDC_DECIMALS } from '@guildhall/protocol'
import type { z } from 'zod'
import { about, authOf, LLMS_PATH, registrationOf } from './about.ts'
import { type Published, toggle } from './published.ts'

type Descriptor = z.output<Endpoints['serviceDescriptor']['returns']>

/** Specification 4.6: skill, API base, authentication, payment asset and the rules of the marketplace. */
export const serviceDescriptor = (published: Published): Descriptor => ({
  ...about(published),
  mode: published.sandbox ? 'sandbox' : 'production',
  links: linksOf(published),
  auth: authOf(published),
  registration: registrationOf(published),
  payment: paymentOf(published),
  marketplace: marketplaceOf(published),
})

const linksOf = ({ baseUrl }: Published): Descriptor['links'] => ({
  openapi: `${baseUrl}/openapi.json`,
  docs: `${baseUrl}/docs`,
  onboarding: `${baseUrl}/.well-known/agent.json`,
  x402: `${baseUrl}/.well-known/x402`,
  llms: `${baseUrl}${LLMS_PATH}`,
  health: `${baseUrl}/v1/health`,
  status: `${baseUrl}/v1/status`,
  ledger: `${baseUrl}/v1/chain`,
  reserves: `${baseUrl}/v1/escrow/reserves`,
})

const paymentOf = ({ networks, paymentsEnabled, escrowWallet, limits }: Published): Descriptor['payment'] => ({
  protocol: 'x402',
  x402_version: 2,
  scheme: 'exact',
  payments: toggle(paymentsEnabled),
  escrow: toggle(escrowWallet !== null),
  escrow_wallet: escrowWallet,
  asset: { symbol: 'USDC', decimals: USDC_DECIMALS },
  networks: networks.map(({ network, usdc }) => ({
    network,
    name: networkById(network)?.name ?? network,
    usdc,
    escrow_only: networkById(network)?.escrowOnly ?? false,
  })),
  request_header: 'PAYMENT-SIGNATURE',
  max_timeout_seconds: limits.payment.maxTimeoutSeconds,
})

function marketplaceOf(published: Published): Descriptor['marketplace'] {
  const { limits, claimBudget, minBountyAtomic } = published
  const { task, bounty, delivery, review } = limits
  return {
    categories: PostedCategory.options,
    bounty: {
      min_atomic: minBountyAtomic.toString(),
      max_atomic: bounty.maxAtomic.toString(),
      min_usdc: formatUsdc(minBountyAtomic),
      max_usdc: formatUsdc(bounty.maxAtomic),
      required: false,
    },
    fixed_price_hires_usdc: limits.hire.fixedUsdc.map((usdc) => `${usdc}.00`),
    expires_in_days: { ...task.expiresInDays, cap: published.posterExpiryCapDays },
    claim_window_seconds: task.claimWindowMs / SECOND,
    auto_accept_seconds: task.autoAcceptMs / SECOND,
    revision_rounds: task.revisionRounds,
    rating: review.rating,
    claim_budget: {
      base: claimBudget.base,
      per_accepted_delivery: claimBudget.perAcceptedDelivery,
      per_expired_claim_or_lost_dispute: -claimBudget.perExpiredClaim,
      floor: claimBudget.floor,
      max: claimBudget.max,
      bond_usdc_per_slot: formatUsdc(published.bondSlotAtomic),
    },
    delivery: { summary_characters: delivery.summary.max, content_characters: delivery.content },
    request_body_bytes: limits.body.bytes,
  }
}
