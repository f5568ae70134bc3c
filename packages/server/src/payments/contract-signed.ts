import { limits } from '@guildhall/protocol'
import { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode, isHex } from 'viem'
import type { Hex } from '../domain/transfer/transfer.ts'
import { hasCode } from './chain-reads.ts'
import { type Rpc, RpcFailure, writeQuantity } from './json-rpc.ts'

/** Enough to deploy a wallet and check a passkey inside the call, too little to keep a node busy. */
const GAS = 5_000_000n

const ERC6492_ENDING = '6492'.repeat(16)

/**
 * Whether the contract at the address, deployed or to be deployed by the signature itself, accepts the signature (ERC-1271,
 * ERC-6492).
 */
export async function contractSigned(rpc: Rpc, address: Hex, digest: Hex, signature: Hex): Promise<boolean> {
  if (!isHex(signature) || signature.length % 2 === 1) return false
  if (signature.length / 2 - 1 > limits.walletProof.signatureBytes.max) return false
  const deploysItself = signature.toLowerCase().endsWith(ERC6492_ENDING)
  if (!deploysItself && !(await hasCode(rpc, address))) return false
  return contractSays(rpc, address.toLowerCase() as Hex, digest, signature)
}

/** Runs the ERC-6492 validator in an eth_call, which changes nothing. The contract is untrusted code: its failure is a no. */
async function contractSays(rpc: Rpc, address: Hex, digest: Hex, signature: Hex): Promise<boolean> {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [address, digest, signature],
    bytecode: erc6492SignatureValidatorByteCode,
  })
  try {
    const said = await rpc('eth_call', [{ data, gas: writeQuantity(GAS) }, 'latest'])
    return typeof said === 'string' && /^0x0*1$/.test(said)
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'reverted') return false
    throw error
  }
}
