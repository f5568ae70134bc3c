import { limits } from '@guildhall/protocol'
import { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode, isHex } from 'viem'
import type { Hex } from '../domain/transfer/transfer.ts'
import { hasCode } from './chain-reads.ts'
import { type Rpc, RpcFailure, writeQuantity } from './json-rpc.ts'
import { recoverSigner } from './recover-signer.ts'

/** Enough to deploy a wallet and check a passkey inside the call, too little to keep a node busy. */
const GAS = 5_000_000n

const ERC6492_ENDING = '6492'.repeat(16)

/** Who vouches for a signature: the address's plain key, the contract at the address (ERC-1271, ERC-6492), or nobody. Without a node contracts cannot be asked. */
export async function signedBy(
  rpc: Rpc | null,
  address: Hex,
  digest: Hex,
  signature: Hex,
): Promise<'plain' | 'contract' | 'no'> {
  if (!isHex(signature) || signature.length % 2 === 1) return 'no'
  if (signature.length / 2 - 1 > limits.walletProof.signatureBytes.max) return 'no'
  if (recoverSigner(digest, signature) === address.toLowerCase()) return 'plain'
  if (rpc === null) return 'no'
  const mayDeploy = signature.toLowerCase().endsWith(ERC6492_ENDING)
  if (!mayDeploy && !(await hasCode(rpc, address))) return 'no'
  return (await contractSays(rpc, address, digest, signature)) ? 'contract' : 'no'
}

/** Runs the ERC-6492 validator inside a call that leaves nothing behind. The code it meets is a stranger's: its failure is a no. */
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
