import { isTestnet } from '@guildhall/protocol'
import { PUBLISHED_WALLETS } from './published-wallets.ts'
import { walletOf } from './read-wallets.ts'
import type { Settings } from './settings.ts'

/** A random key of 32 bytes has about thirty different ones. */
const FEWEST_BYTES = 8

/** Settings that must never run in production. */
export function unsafeSettings(settings: Settings): string[] {
  if (settings.mode === 'sandbox') {
    return settings.sandboxControlUrl === null
      ? ['GUILDHALL_SANDBOX_CONTROL is missing: start the sandbox with npm start.']
      : []
  }
  const problems: string[] = []
  if (settings.sandboxControlUrl !== null)
    problems.push('GUILDHALL_SANDBOX_CONTROL is set: the play parts do not run in production.')
  if (settings.failpoint !== null) problems.push('GUILDHALL_FAILPOINT is set: failpoints are for tests.')
  if (settings.checkAnswers) problems.push('GUILDHALL_CHECK_ANSWERS is set: it is for tests.')
  problems.push(...guessableKeys(settings))
  for (const { network, domain } of settings.networks) {
    if (isTestnet(network))
      problems.push(`GUILDHALL_NETWORKS names ${network}, a test network: bounties are paid on mainnets only.`)
    if (/sandbox/i.test(domain.name))
      problems.push(`GUILDHALL_NETWORKS gives ${network} the play token of the sandbox.`)
  }
  return problems
}

function guessableKeys({ registryKey, escrowKey, escrowWallet, houseWalletKey }: Settings): readonly string[] {
  const problems = isRandom(registryKey) ? [] : ['GUILDHALL_REGISTRY_KEY is not a random key.']
  const keys = { GUILDHALL_ESCROW_KEY: escrowKey, GUILDHALL_HOUSE_WALLET_KEY: houseWalletKey }
  for (const [name, key] of Object.entries(keys)) {
    if (key === null) continue
    const wallet = walletOf(key)
    const bytes = Buffer.from(key.slice(2), 'hex')
    if (bytes.equals(registryKey)) problems.push(`${name} is the registry key, which every node has: use another.`)
    if (!isRandom(bytes)) problems.push(`${name} is not a random key.`)
    else if (wallet === null) problems.push(`${name} is not a key: the number is too large for one.`)
    else if (PUBLISHED_WALLETS.has(wallet)) problems.push(`${name} is a key of a development chain.`)
  }
  if (PUBLISHED_WALLETS.has(escrowWallet ?? ''))
    problems.push('GUILDHALL_ESCROW_WALLET is a wallet of a development chain: everybody has its key.')
  return problems
}

/** A key that is missing is named elsewhere. */
const isRandom = (key: Uint8Array): boolean => key.length === 0 || new Set(key).size >= FEWEST_BYTES
