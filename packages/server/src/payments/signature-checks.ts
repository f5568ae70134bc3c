import { tokenDomain, typedTransfer } from '@guildhall/protocol'
import { hashMessage, hashTypedData } from 'viem'
import type { Hex } from '../domain/transfer/transfer.ts'
import type { Chain } from '../ports/chain.ts'
import type { ServedNetwork } from '../ports/rules.ts'
import { contractSigned } from './contract-signed.ts'
import { limitInFlight } from './in-flight-limit.ts'
import type { Rpc } from './json-rpc.ts'
import { recoverSigner } from './recover-signer.ts'
import { unlessUnreachable, unreachable } from './unless-unreachable.ts'

/** Contracts that check signatures are untrusted code and may be slow. */
const MAX_CHECKS_PER_NODE = 8
const PLAIN_BYTES = 65

/** Longer than any plain key's signature. A contract's may have that length, too. */
const isOfContract = (signature: Hex): boolean => signature.length > 2 + 2 * PLAIN_BYTES

/** Whether a wallet, a plain key or a contract, has signed. */
export function signatureChecks(
  places: ReadonlyMap<string, { readonly rpc: Rpc; readonly served: ServedNetwork }>,
): Pick<Chain, 'walletSigned' | 'payerSigned'> {
  const limits = new Map([...places.keys()].map((network) => [network, limitInFlight(MAX_CHECKS_PER_NODE)]))

  const checkSignature = async (network: string, address: Hex, digest: Hex, signature: Hex) => {
    if (recoverSigner(digest, signature) === address.toLowerCase()) return 'plain'
    const rpc = places.get(network)?.rpc
    const limit = limits.get(network)
    if (!rpc || !limit) return 'no'
    const signed = await limit(() => unlessUnreachable(() => contractSigned(rpc, address, digest, signature)))
    if (signed === 'busy') return unreachable('too many signature checks are under way')
    if (typeof signed !== 'boolean') return signed
    return signed ? 'contract' : 'no'
  }

  return {
    /** On a network that is not served only plain keys can be verified. */
    walletSigned: async (network, address, text, signature) =>
      isOfContract(signature) && !places.has(network)
        ? 'unserved'
        : checkSignature(network, address, hashMessage(text), signature),

    async payerSigned(authorization, signature) {
      const { network, asset, from } = authorization
      const known = places.get(network)?.served
      if (known?.usdc.toLowerCase() !== asset.toLowerCase()) return 'no'
      const domain = tokenDomain({ network, asset, ...known.domain })
      return checkSignature(network, from, hashTypedData(typedTransfer(authorization, domain)), signature)
    },
  }
}
