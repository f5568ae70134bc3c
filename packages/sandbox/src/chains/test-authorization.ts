import { randomBytes } from 'node:crypto'
import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseSignature } from 'viem'
import { testUsdcAbi, usdcDomain } from './contracts.ts'
import type { Chain } from './start-chain.ts'

/** The six fields of an EIP-3009 authorization, in the token's order. */
export type Authorization = {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

export const randomNonce = (): Hex => `0x${randomBytes(32).toString('hex')}`

export const authorizationTypedData = (
  { chainId, usdc }: Pick<Chain, 'chainId' | 'usdc'>,
  message: Authorization,
  primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization' = 'TransferWithAuthorization',
) => ({
  domain: { ...usdcDomain, chainId, verifyingContract: usdc },
  types: { TransferWithAuthorization: fields, ReceiveWithAuthorization: fields },
  primaryType,
  message,
})

export function signCancellation(
  { chainId, usdc }: Pick<Chain, 'chainId' | 'usdc'>,
  signer: LocalAccount,
  nonce: Hex,
): Promise<Hex> {
  return signer.signTypedData({
    domain: { ...usdcDomain, chainId, verifyingContract: usdc },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: signer.address, nonce },
  })
}

/** The call that settles an authorization; `split` takes the older form with v, r and s. */
export function settleData(
  authorization: Authorization,
  signature: Hex,
  functionName = 'transferWithAuthorization',
  split = false,
): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const args = [from, to, value, validAfter, validBefore, nonce, ...(split ? vrs(signature) : [signature])]
  return encodeFunctionData({ abi: testUsdcAbi, functionName, args })
}

export function cancelData(authorizer: Address, nonce: Hex, signature: Hex, split = false): Hex {
  const args = [authorizer, nonce, ...(split ? vrs(signature) : [signature])]
  return encodeFunctionData({ abi: testUsdcAbi, functionName: 'cancelAuthorization', args })
}

function vrs(signature: Hex): readonly unknown[] {
  const { r, s, yParity } = parseSignature(signature)
  return [27 + yParity, r, s]
}
