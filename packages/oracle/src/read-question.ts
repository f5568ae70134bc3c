import type { Question } from './consult.ts'

type Settings = Readonly<Record<string, string | undefined>>
type Network = { readonly network?: unknown; readonly rpc_url?: unknown; readonly usdc?: unknown }

const ADDRESS = /^0x[0-9a-f]{40}$/i

/** What is to be judged, from the settings of a node, or why they do not say it. */
export function readQuestion(settings: Settings): Question | { readonly problem: string } {
  const { DATABASE_URL: databaseUrl, GUILDHALL_ESCROW_WALLET: escrowWallet, GUILDHALL_NETWORKS: networks } = settings
  if (!databaseUrl || !escrowWallet || !networks)
    return {
      problem:
        'DATABASE_URL, GUILDHALL_ESCROW_WALLET (0x address) and GUILDHALL_NETWORKS (as the service has it, with usdc) are needed.',
    }
  if (!ADDRESS.test(escrowWallet))
    return { problem: 'GUILDHALL_ESCROW_WALLET is not an address: 0x and 40 hexadecimal digits.' }
  const listed = listIn(networks)
  if (listed === null) return { problem: 'GUILDHALL_NETWORKS is not a JSON list.' }
  const watched = []
  for (const { network, rpc_url: rpcUrl, usdc } of listed) {
    if (typeof network !== 'string' || typeof rpcUrl !== 'string' || typeof usdc !== 'string' || !ADDRESS.test(usdc))
      return {
        problem: `GUILDHALL_NETWORKS: ${network} needs network, rpc_url and usdc, the address of the token.`,
      }
    watched.push({ network, rpcUrl, usdc })
  }
  return { databaseUrl, escrowWallet, networks: watched }
}

function listIn(json: string): readonly Network[] | null {
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list.map((item) => item ?? {}) : null
  } catch {
    return null
  }
}
