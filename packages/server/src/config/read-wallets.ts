import { privateKeyToAddress } from 'viem/accounts'
import type { EnvironmentReader } from './environment-reader.ts'
import { walletAddress, walletKey } from './read-keys.ts'
import type { Settings } from './settings.ts'

type Wallets = Pick<Settings, 'escrowWallet' | 'escrowKey' | 'houseWalletKey'>
type Hex = `0x${string}`

export const NO_WALLETS: Wallets = { escrowWallet: null, escrowKey: null, houseWalletKey: null }

/** The wallets of a node that keeps money in escrow. */
export function walletsOf(read: EnvironmentReader, role: Settings['role'], problems: string[]): Wallets {
  const address = read.text('GUILDHALL_ESCROW_WALLET', '')
  const wallet = address === '' ? null : walletAddress('GUILDHALL_ESCROW_WALLET', address, problems)
  const mayLackKey = role === 'api' || role === 'reader'
  // An attacker who takes over a public node must find no key there.
  const keyElsewhere = address !== '' && mayLackKey
  const escrowKey = keyElsewhere ? null : escrowKeyOf(read, mayLackKey, problems)
  if (wallet !== null && escrowKey !== null && walletOf(escrowKey) !== wallet)
    problems.push('GUILDHALL_ESCROW_WALLET is not the wallet of GUILDHALL_ESCROW_KEY: nodes have to agree on one.')
  const houseWalletKey = walletKey('GUILDHALL_HOUSE_WALLET_KEY', read.text('GUILDHALL_HOUSE_WALLET_KEY', ''), problems)
  const held = wallet ?? (escrowKey === null ? null : walletOf(escrowKey))
  if (houseWalletKey !== null && held !== null && walletOf(houseWalletKey) === held)
    problems.push('GUILDHALL_HOUSE_WALLET_KEY is the escrow key: the house pays from a wallet of its own.')
  return { escrowWallet: keyElsewhere ? wallet : null, escrowKey, houseWalletKey }
}

function escrowKeyOf(read: EnvironmentReader, mayLackKey: boolean, problems: string[]): Wallets['escrowKey'] {
  const instead = mayLackKey ? 'set GUILDHALL_ESCROW_WALLET, its address, or' : 'set'
  const what = `the private key of the escrow wallet, 0x and 64 hex digits (or ${instead} GUILDHALL_ESCROW=disabled)`
  return walletKey('GUILDHALL_ESCROW_KEY', read.required('GUILDHALL_ESCROW_KEY', what), problems)
}

/** The wallet of a key; null for a number that is no key, such as 0. */
export function walletOf(key: Hex): Hex | null {
  try {
    return privateKeyToAddress(key).toLowerCase() as Hex
  } catch {
    return null
  }
}
