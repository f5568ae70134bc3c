import { type Abi, type Address, type Hex, parseAbi } from 'viem'
import multicall3 from '../../contracts/artifacts/Multicall3.json' with { type: 'json' }
import nativeMirror from '../../contracts/artifacts/NativeMirror.json' with { type: 'json' }
import testNativeUsdc from '../../contracts/artifacts/TestNativeUsdc.json' with { type: 'json' }
import testSmartWallet from '../../contracts/artifacts/TestSmartWallet.json' with { type: 'json' }
import testSmartWalletFactory from '../../contracts/artifacts/TestSmartWalletFactory.json' with { type: 'json' }
import testUsdc from '../../contracts/artifacts/TestUsdc.json' with { type: 'json' }

export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
export const nativeMirrorAddress: Address = '0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE'
export const smartWalletFactoryAddress: Address = '0x4a11000000000000000000000000000000006492'

/** The EIP-712 domain of the play dollar: a name of its own, so that a signature made here is worth nothing elsewhere. */
export const usdcDomain = { name: 'Guildhall Sandbox USDC', version: '2' } as const

export const runtimeCode = {
  multicall3: multicall3.runtime as Hex,
  nativeMirror: nativeMirror.runtime as Hex,
  testNativeUsdc: testNativeUsdc.runtime as Hex,
  testSmartWalletFactory: testSmartWalletFactory.runtime as Hex,
  testUsdc: testUsdc.runtime as Hex,
}

export const testUsdcAbi = testUsdc.abi as Abi
export const testSmartWalletAbi = testSmartWallet.abi as Abi
export const testSmartWalletFactoryAbi = testSmartWalletFactory.abi as Abi

/** What the sandbox itself calls on the token, typed. */
export const mintAbi = parseAbi(['function mint(address to, uint256 amount) returns (bool)'])
