import type { Hex } from '../hex.ts'
import { chainIdOf, type NetworkId } from './networks.ts'

/** What a payer signs: an EIP-3009 transfer that anybody may submit, once, within its validity. */
export type TransferAuthorization = {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  /** Unix seconds, both bounds excluded. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

/** The EIP-712 domain of a token. */
export type TokenDomain = {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Hex
}

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export function tokenDomain(token: {
  readonly network: string
  readonly asset: string
  readonly name: string
  readonly version: string
}): TokenDomain {
  const { network, asset, name, version } = token
  return { name, version, chainId: chainIdOf(network as NetworkId), verifyingContract: asset.toLowerCase() as Hex }
}

/** The typed data of a transfer, for any EIP-712 signer. */
export function typedTransfer(authorization: TransferAuthorization, domain: TokenDomain) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const message = { from, to, value, validAfter, validBefore, nonce }
  return { domain, types, primaryType: 'TransferWithAuthorization', message } as const
}
