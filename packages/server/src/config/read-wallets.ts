import type { EnvironmentReader } from './environment-reader.ts'
import { walletAddress, walletKey } from './read-keys.ts'
import type { Settings } from './settings.ts'

type Wallets = Pick<Settings, 'escrowWallet' | 'escrowKey' | 'houseWalletKey'>

export const NO_WALLETS: Wallets = { escrowWallet: null, escrowKey: null, houseWalletKey: null }

/** The wallets of a node that keeps money in escrow. */
export function walletsOf(read: EnvironmentReader, role: Settings['role'], problems: string[]): Wallets {
  const address = read.text('GUILDHALL_ESCROW_WALLET', '')
  // An attacker who takes over a public node must find no key there.
  const keyElsewhere = address !== '' && (role === 'api' || role === 'reader')
  const escrowKey = keyElsewhere ? null : escrowKeyOf(read, problems)
  const houseWalletKey = walletKey('GUILDHALL_HOUSE_WALLET_KEY', read.text('GUILDHALL_HOUSE_WALLET_KEY', ''), problems)
  if (houseWalletKey !== null && houseWalletKey === escrowKey)
    problems.push('GUILDHALL_HOUSE_WALLET_KEY is the escrow key: the house pays from a wallet of its own.')
  return {
    escrowWallet: keyElsewhere ? walletAddress('GUILDHALL_ESCROW_WALLET', address, problems) : null,
    escrowKey,
    houseWalletKey,
  }
}

function escrowKeyOf(read: EnvironmentReader, problems: string[]): Wallets['escrowKey'] {
  const what = 'the private key of the escrow wallet, 0x and 64 hex digits (or set GUILDHALL_ESCROW=disabled)'
  return walletKey('GUILDHALL_ESCROW_KEY', read.required('GUILDHALL_ESCROW_KEY', what), problems)
}
