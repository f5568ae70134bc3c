import type { Chain } from '@guildhall/sandbox'
import {
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseAbi,
  type SignTypedDataParameters,
  serializeErc6492Signature,
} from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { smartWalletFactoryAddress } from '../../../sandbox/src/chains/contracts.ts'
import { rpc, STRANGER } from './chain-calls.ts'

const factory = parseAbi([
  'function createWallet(address owner, bytes32 salt) returns (address)',
  'function walletAddress(address owner, bytes32 salt) view returns (address)',
])

/** A wallet that is a contract and signs with its owner's key. */
export type SmartWallet = Pick<PrivateKeyAccount, 'address' | 'signMessage' | 'signTypedData'>

export async function deployedWallet(chain: Chain, owner: PrivateKeyAccount): Promise<SmartWallet> {
  const { address, creation } = await planned(chain, owner)
  await rpc(chain, 'eth_sendTransaction', { from: STRANGER, to: smartWalletFactoryAddress, data: creation })
  return { address, signMessage: owner.signMessage, signTypedData: owner.signTypedData }
}

/** A wallet that does not exist yet: its signatures say how it would be made (ERC-6492). */
export async function undeployedWallet(chain: Chain, owner: PrivateKeyAccount): Promise<SmartWallet> {
  const { address, creation } = await planned(chain, owner)
  const wrap = (signature: Hex) =>
    serializeErc6492Signature({ address: smartWalletFactoryAddress, data: creation, signature })
  return {
    address,
    signMessage: async (parameters) => wrap(await owner.signMessage(parameters)),
    signTypedData: (async (parameters: SignTypedDataParameters) =>
      wrap(await owner.signTypedData(parameters as never))) as PrivateKeyAccount['signTypedData'],
  }
}

async function planned(chain: Chain, owner: PrivateKeyAccount): Promise<{ address: Hex; creation: Hex }> {
  const args = [owner.address, generatePrivateKey()] as const
  const address = await createPublicClient({ transport: http(chain.rpcUrl) }).readContract({
    address: smartWalletFactoryAddress,
    abi: factory,
    functionName: 'walletAddress',
    args,
  })
  return { address, creation: encodeFunctionData({ abi: factory, functionName: 'createWallet', args }) }
}
