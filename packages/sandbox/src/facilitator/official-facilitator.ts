import { x402Facilitator } from '@x402/core/facilitator'
import type { SettleResponse, SupportedResponse, VerifyResponse } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { privateKeyToAccount } from 'viem/accounts'
import { connectChain } from './chain-client.ts'
import { createChainSigner } from './chain-signer.ts'
import type { FacilitatorConfig } from './control-messages.ts'
import type { PaymentRequest } from './payment-request.ts'
import { createPendingSettlements } from './pending-settlements.ts'
import { settlingCall } from './settling-call.ts'

/** The official x402 facilitator, which says `unavailable` instead of a verdict it could not reach. */
export type OfficialFacilitator = {
  readonly address: `0x${string}`
  supported(): SupportedResponse
  verify(request: PaymentRequest): Promise<VerifyResponse | 'unavailable'>
  settle(request: PaymentRequest, options?: { readonly starvedOfGas: boolean }): Promise<SettleResponse | 'unavailable'>
}

export function createOfficialFacilitator(
  config: Pick<FacilitatorConfig, 'networks' | 'gasKey' | 'eip6492Factories'>,
): OfficialFacilitator {
  const account = privateKeyToAccount(config.gasKey)
  const facilitator = new x402Facilitator()
  for (const { network, rpcUrl } of config.networks) {
    const client = connectChain(network, rpcUrl, account)
    const scheme = new ExactEvmScheme(createChainSigner(client), {
      eip6492AllowedFactories: [...config.eip6492Factories],
      pendingSettlementStore: createPendingSettlements(client),
    })
    facilitator.register(network as `${string}:${string}`, scheme)
  }
  const served = new Set(config.networks.map(({ network }) => network))

  return {
    address: account.address,
    supported: () => facilitator.getSupported() as SupportedResponse,
    async verify({ payload, requirements }) {
      if (!served.has(requirements.network)) return { isValid: false, invalidReason: 'invalid_network' }
      return unlessNodeFailed(
        false,
        () => facilitator.verify(payload, requirements),
        (verdict) => verdict.isValid,
      )
    },
    async settle({ payload, requirements }, { starvedOfGas } = { starvedOfGas: false }) {
      const { network } = requirements
      if (!served.has(network)) return { success: false, errorReason: 'invalid_network', transaction: '', network }
      return unlessNodeFailed(
        starvedOfGas,
        () => facilitator.settle(payload, requirements),
        (verdict) => verdict.success || verdict.errorReason === 'settlement_pending',
      )
    },
  }
}

async function unlessNodeFailed<Verdict>(
  starvedOfGas: boolean,
  work: () => Promise<Verdict>,
  holdsAnyway: (verdict: Verdict) => boolean,
): Promise<Verdict | 'unavailable'> {
  const call = { nodeFailed: false, starvedOfGas }
  try {
    const verdict = await settlingCall.run(call, work)
    return call.nodeFailed && !holdsAnyway(verdict) ? 'unavailable' : verdict
  } catch (error) {
    if (call.nodeFailed) return 'unavailable'
    throw error
  }
}
