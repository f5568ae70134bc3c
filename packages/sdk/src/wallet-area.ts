import type { CallOptions } from './call-types.ts'
import type { TextWallet } from './payment/wallet.ts'
import { proveWallet, type WalletContext, type WalletNetwork } from './prove-wallet.ts'

/** The payout wallet of an agent. */
export const walletOf = (context: WalletContext) => ({
  /** Signs the proof with this account and records its address; asks for no signature if it is already recorded. */
  prove: (account: TextWallet, network: WalletNetwork, options?: CallOptions) =>
    proveWallet(context, account, network, options),
  get: (idOrName?: string, options?: CallOptions) =>
    context.call('getWallet', { params: { id: idOrName ?? context.identity().agentId }, ...options }),
  clear: (options?: CallOptions) =>
    context.call('setWallet', {
      params: { id: context.identity().agentId },
      body: { wallet_address: null },
      ...options,
    }),
})
