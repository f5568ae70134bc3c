import { consult } from './consult.ts'

const BROKEN = 6
const WRONG_SETTINGS = 2

/** Reads a node's settings and checks its books: exit code 0 when they hold, 6 when they do not. */
async function main(): Promise<number> {
  const { DATABASE_URL: databaseUrl, GUILDHALL_ESCROW_WALLET: escrowWallet, GUILDHALL_NETWORKS: networks } = process.env
  if (!databaseUrl || !escrowWallet || !networks) {
    console.error(
      'DATABASE_URL, GUILDHALL_ESCROW_WALLET (0x address) and GUILDHALL_NETWORKS (as the service has it, with usdc) are needed.',
    )
    return WRONG_SETTINGS
  }
  const watched = (JSON.parse(networks) as { network: string; rpc_url: string; usdc: string }[]).map(
    ({ network, rpc_url, usdc }) => ({ network, rpcUrl: rpc_url, usdc }),
  )
  const violations = await consult({ databaseUrl, escrowWallet, networks: watched })
  for (const { invariant, what } of violations) console.log(`${invariant}: ${what}`)
  console.log(violations.length === 0 ? 'The books hold.' : `The books do not hold: ${violations.length} violations.`)
  return violations.length === 0 ? 0 : BROKEN
}

process.exitCode = await main()
