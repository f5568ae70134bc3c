import { payoutWalletMessage } from '@guildhall/protocol'
import type { Answer, Body, Call, CallOptions } from './call-types.ts'
import { isGuildhallError } from './guildhall-error.ts'
import type { Identity } from './identity.ts'
import type { TextWallet } from './payment/wallet.ts'
import { randomHex } from './random-hex.ts'
import type { ServerClock } from './server-clock.ts'

export type WalletContext = {
  readonly call: Call
  readonly identity: () => Identity
  readonly clock: ServerClock
  readonly serviceName: string
}

export type WalletNetwork = NonNullable<Body<'setWallet'>['wallet_network']>

/**
 * Asks without a proof first: that tells whether one is needed at all, and the service's time, before the wallet is asked to
 * sign. The signed text is built here, not taken from the service.
 */
export async function proveWallet(
  { call, identity, clock, serviceName }: WalletContext,
  account: TextWallet,
  network: WalletNetwork,
  options?: CallOptions,
): Promise<Answer<'setWallet'>> {
  const { agentId } = identity()
  const set = (wallet_proof?: { message: string; signature: string }) =>
    call('setWallet', {
      params: { id: agentId },
      body: { wallet_address: account.address, wallet_network: network, wallet_proof },
      ...options,
    })
  try {
    return await set()
  } catch (error) {
    if (!needsProof(error)) throw error
  }
  const issuedAt = clock.nowSeconds()
  const statement = { agentId, wallet: account.address, network, issuedAt, nonce: randomHex(16) }
  const message = payoutWalletMessage(serviceName, statement)
  return set({ message, signature: await account.signMessage({ message }) })
}

/** Also when the first of its answers was lost: the call without a proof was refused then, too. */
const needsProof = (error: unknown): boolean =>
  isGuildhallError(isGuildhallError(error, 'outcome_unknown') ? error.cause : error, 'wallet_proof_required')
