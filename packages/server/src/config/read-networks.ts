import { BASE, POLYGON, parseUsdc, THIRD_MAINNET } from '@guildhall/protocol'
import type { EnvironmentReader } from './environment-reader.ts'
import type { ServiceNetwork, Settings } from './settings.ts'

const KNOWN: Readonly<Record<string, Partial<ServiceNetwork>>> = {
  [BASE.id]: {
    usdc: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    domain: { name: 'USD Coin', version: '2' },
    confirmations: 2,
    finality: 12,
  },
  [POLYGON.id]: {
    usdc: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
    domain: { name: 'USD Coin', version: '2' },
    confirmations: 4,
    finality: 64,
  },
  [THIRD_MAINNET.id]: { confirmations: 1, finality: 2 },
}

const FIELDS: ReadonlySet<string> = new Set([
  'network',
  'rpc_url',
  'second_rpc_url',
  'facilitator_url',
  'usdc',
  'name',
  'version',
  'confirmations',
  'finality',
  'reorg_depth',
  'large_usdc',
  'large_finality',
])

/** GUILDHALL_NETWORKS is a JSON list; the public facts of known networks may be left out. */
export function networksOf(
  read: EnvironmentReader,
  mode: Settings['mode'],
  problems: string[],
): readonly ServiceNetwork[] {
  const facilitatorUrl = read.text('GUILDHALL_FACILITATOR_URL', '')
  const text = read.required(
    'GUILDHALL_NETWORKS',
    'a JSON list such as [{"network":"eip155:8453","rpc_url":"https://…"}] (or set GUILDHALL_PAYMENTS=disabled)',
  )
  if (text === '') return []
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    list = null
  }
  if (!Array.isArray(list)) {
    problems.push('GUILDHALL_NETWORKS is not a JSON list.')
    return []
  }
  const networks = list.flatMap((entry: unknown) => {
    const fields = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {}
    for (const name of Object.keys(fields)) if (!FIELDS.has(name)) read.ignore(`GUILDHALL_NETWORKS: ${name}`)
    const network = networkOf(fields, facilitatorUrl, mode, problems)
    return network ? [network] : []
  })
  const ids = networks.map(({ network }) => network)
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at)))
    problems.push(`GUILDHALL_NETWORKS names ${id} more than once.`)
  return networks
}

function networkOf(
  entry: Record<string, unknown>,
  fallback: string,
  mode: Settings['mode'],
  problems: string[],
): ServiceNetwork | null {
  const network = said(entry.network ?? '')
  const known = Object.hasOwn(KNOWN, network) ? (KNOWN[network] ?? {}) : {}
  const missing = (what: string) => problems.push(`GUILDHALL_NETWORKS: ${network || 'an entry'} needs ${what}.`)
  const rpcUrl = said(entry.rpc_url ?? '')
  const secondRpcUrl = entry.second_rpc_url === undefined ? undefined : said(entry.second_rpc_url)
  // In production the third mainnet needs a facilitator of its own.
  const facilitatorUrl = said(
    entry.facilitator_url ?? (network === THIRD_MAINNET.id && mode === 'production' ? '' : fallback),
  )
  const usdc = said(entry.usdc ?? known.usdc ?? '').toLowerCase()
  const name = said(entry.name ?? known.domain?.name ?? '')
  const version = said(entry.version ?? known.domain?.version ?? '')
  const confirmations = Number(said(entry.confirmations ?? known.confirmations ?? 2) || Number.NaN)
  const finality = Number(said(entry.finality ?? known.finality ?? 12) || Number.NaN)
  const large = largeOf(entry)
  const reorgDepth = entry.reorg_depth === undefined ? undefined : Number(said(entry.reorg_depth) || Number.NaN)
  const before = problems.length
  if (!/^eip155:[1-9]\d*$/.test(network)) missing('a network id such as eip155:8453')
  if (!isHttpUrl(rpcUrl)) missing('rpc_url, an http or https address')
  if (secondRpcUrl !== undefined && !isHttpUrl(secondRpcUrl))
    missing('a second_rpc_url, an http or https address, or none')
  if (!isHttpUrl(facilitatorUrl)) missing('facilitator_url (or GUILDHALL_FACILITATOR_URL), an http or https address')
  if (!/^0x[0-9a-f]{40}$/.test(usdc)) missing('usdc, the address of the token')
  if (name === '' || version === '') missing('name and version, the EIP-712 domain of the token')
  if (!Number.isInteger(confirmations) || confirmations < 1) missing('confirmations of 1 or more')
  if (!Number.isInteger(finality) || finality < confirmations) missing('a finality that is not below its confirmations')
  if (large === null || (large && large.finality < finality))
    missing('large_usdc and large_finality, an amount and a finality that is not below the other, or neither')
  if (reorgDepth !== undefined && !(Number.isInteger(reorgDepth) && reorgDepth >= finality))
    missing('a reorg_depth that is not below its finality, or none')
  if (problems.length > before) return null
  return {
    network,
    rpcUrl,
    ...(secondRpcUrl === undefined ? {} : { secondRpcUrl }),
    facilitatorUrl,
    usdc: usdc as `0x${string}`,
    domain: { name, version },
    confirmations,
    finality,
    ...(large ? { large } : {}),
    ...(reorgDepth === undefined ? {} : { reorgDepth }),
  }
}

/** Without a scheme, localhost:8545 is an address of the scheme localhost. */
const isHttpUrl = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text)

/** A JSON text or number as text; anything else is empty. */
const said = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Undefined when neither field is set, null when only one is, or one is invalid. */
function largeOf({ large_usdc, large_finality }: Record<string, unknown>): ServiceNetwork['large'] | null {
  if (large_usdc === undefined && large_finality === undefined) return undefined
  const fromAtomic = parseUsdc(said(large_usdc))
  const finality = Number(said(large_finality) || Number.NaN)
  return fromAtomic === null || !Number.isInteger(finality) ? null : { fromAtomic, finality }
}
