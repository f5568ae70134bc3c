import { isIP } from 'node:net'
import { BASE, isTestnet, limits, POLYGON, parseUsdc, SECOND, THIRD_MAINNET } from '@guildhall/protocol'
import { isNetwork } from '../outgoing/public-address.ts'
import type { SkillRegistryUrls } from '../outgoing/skills/create-skill-registries.ts'
import { readClaimBudget } from './read-claim-budget.ts'
import { openidOf } from './read-openid.ts'
import type { ServiceNetwork, Settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings are wrong; every problem is named at once. */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The settings do not allow a start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'SettingsError'
    this.problems = problems
  }
}

/** The only reader of the environment. Gives complete, checked settings or says everything that is wrong with them. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = []
  const read = reader(environment, problems)
  const mode = read.oneOf('GUILDHALL_MODE', ['production', 'sandbox'], 'production')
  const host = read.text('HOST', '127.0.0.1')
  const port = read.integer('PORT', 8787, 0, 65_535)
  const payments = read.oneOf('GUILDHALL_PAYMENTS', ['enabled', 'disabled'], 'enabled') === 'enabled'
  const escrow = read.oneOf('GUILDHALL_ESCROW', ['enabled', 'disabled'], 'enabled') === 'enabled'
  const settings: Settings = {
    mode,
    role: read.oneOf('GUILDHALL_ROLE', ['api', 'worker', 'both'], 'both'),
    host,
    port,
    baseUrl: baseUrlOf(
      read.text('GUILDHALL_BASE_URL', mode === 'sandbox' ? `http://${reachable(host)}:${port}` : ''),
      problems,
    ),
    dataDir: read.text('GUILDHALL_DATA_DIR', './.guildhall'),
    databaseUrl: read.required('DATABASE_URL', 'the PostgreSQL to use, such as postgresql://user@host/guildhall'),
    serviceName: read.text('GUILDHALL_SERVICE_NAME', 'Guildhall'),
    registryKey: secretKey(
      read.required('GUILDHALL_REGISTRY_KEY', 'the Ed25519 key that signs ledger checkpoints, 32 bytes in hex'),
      problems,
    ),
    escrowKey:
      payments && escrow
        ? walletKey(
            'GUILDHALL_ESCROW_KEY',
            read.required(
              'GUILDHALL_ESCROW_KEY',
              'the private key of the escrow wallet, 0x and 64 hex digits (or set GUILDHALL_ESCROW=disabled)',
            ),
            problems,
          )
        : null,
    houseWalletKey:
      payments && escrow
        ? walletKey('GUILDHALL_HOUSE_WALLET_KEY', read.text('GUILDHALL_HOUSE_WALLET_KEY', ''), problems)
        : null,
    testing: {
      network: read.text('GUILDHALL_TESTING_NETWORK', BASE.id),
      bountyAtomic: read.usdc('GUILDHALL_TESTING_BOUNTY_USDC', 2_000_000n),
      minScore: share('GUILDHALL_TESTING_MIN_SCORE', read.text('GUILDHALL_TESTING_MIN_SCORE', ''), problems),
    },
    paymentsEnabled: payments,
    networks: payments ? networksOf(read, mode, problems) : [],
    registrationDifficulty: read.integer(
      'GUILDHALL_DIFFICULTY',
      mode === 'sandbox' ? 12 : 22,
      0,
      limits.registration.maxDifficulty,
    ),
    registrationLimited: mode === 'production',
    activation: read.oneOf('GUILDHALL_ACTIVATION', ['registered', 'verified'], 'registered'),
    minBountyAtomic: read.usdc('GUILDHALL_MIN_BOUNTY_USDC', limits.bounty.minAtomic),
    posterExpiryCapDays: read.integer(
      'GUILDHALL_EXPIRY_CAP_DAYS',
      limits.task.expiresInDays.max,
      1,
      limits.task.expiresInDays.max,
    ),
    newPosterExpiryCapDays: read.integer(
      'GUILDHALL_NEW_POSTER_EXPIRY_CAP_DAYS',
      limits.task.expiresInDays.max,
      1,
      limits.task.expiresInDays.max,
    ),
    claimBudget: readClaimBudget(read.integer),
    bondSlotAtomic: read.usdc('GUILDHALL_BOND_SLOT_USDC', 1_000_000n),
    maxPayoutAtomic: read.usdc('GUILDHALL_MAX_PAYOUT_USDC', limits.bounty.maxAtomic),
    maxHourlyPayoutAtomic: read.usdc('GUILDHALL_MAX_HOURLY_PAYOUT_USDC', 100_000_000_000n),
    settleInRequestMs: read.integer('GUILDHALL_SETTLE_IN_REQUEST_MS', 8 * SECOND, 0, 60 * SECOND),
    trustedProxies: proxiesOf(read.list('GUILDHALL_TRUSTED_PROXIES'), problems),
    maxInFlight: read.integer('GUILDHALL_MAX_IN_FLIGHT', 512, 1, 100_000),
    drainMs: read.integer('GUILDHALL_DRAIN_MS', mode === 'sandbox' ? 0 : 3 * SECOND, 0, 60 * SECOND),
    maxStreams: read.integer('GUILDHALL_MAX_STREAMS', 5_000, 1, 100_000),
    outgoingAllowed: networkList(
      'GUILDHALL_OUTGOING_ALLOW',
      read.list('GUILDHALL_OUTGOING_ALLOW', mode === 'sandbox' ? LOOPBACK : ''),
      problems,
    ),
    skillRegistries: skillRegistriesOf(read.text('GUILDHALL_SKILL_REGISTRIES', '{}'), problems),
    mail: mailOf(read, problems),
    openid: openidOf(read.text, mode, problems),
    poolSize: read.integer('GUILDHALL_POOL_SIZE', 10, 2, 200),
    metrics: metricsOf(read),
    logLevel: read.oneOf('GUILDHALL_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    failpoint: environment.GUILDHALL_FAILPOINT || null,
    checkAnswers: environment.GUILDHALL_CHECK_ANSWERS === '1',
    sandboxControlUrl: environment.GUILDHALL_SANDBOX_CONTROL || null,
  }
  if (settings.houseWalletKey !== null && settings.houseWalletKey === settings.escrowKey)
    problems.push('GUILDHALL_HOUSE_WALLET_KEY is the escrow key: the house pays from a wallet of its own.')
  problems.push(...unsafe(settings))
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

/** What must not reach production, whatever else is right. */
function unsafe(settings: Settings): string[] {
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
  if (settings.registryKey.every((byte) => byte === settings.registryKey[0]))
    problems.push('GUILDHALL_REGISTRY_KEY is not a random key.')
  for (const { network, domain } of settings.networks) {
    if (isTestnet(network))
      problems.push(`GUILDHALL_NETWORKS names ${network}, a test network: bounties are paid on mainnets only.`)
    if (/sandbox/i.test(domain.name))
      problems.push(`GUILDHALL_NETWORKS gives ${network} the play token of the sandbox.`)
  }
  return problems
}

const LOOPBACK = '127.0.0.0/8,::1/128'

function networkList(name: string, networks: readonly string[], problems: string[]): readonly string[] {
  const wrong = networks.filter((network) => !isNetwork(network))
  for (const network of wrong) problems.push(`${name} names '${network}', but networks such as 10.0.0.0/8 are needed.`)
  return networks.filter((network) => !wrong.includes(network))
}

function proxiesOf(list: readonly string[], problems: string[]): readonly string[] {
  for (const entry of list) {
    const [address = '', bits, ...rest] = entry.split('/')
    const isNetwork = bits === undefined || /^\d{1,3}$/.test(bits)
    if (isIP(address) !== 0 && isNetwork && rest.length === 0) continue
    problems.push(`GUILDHALL_TRUSTED_PROXIES has '${entry}', but addresses or networks such as 10.0.0.0/8 are needed.`)
  }
  return list
}

const SKILL_REGISTRIES: SkillRegistryUrls = {
  npm: 'https://registry.npmjs.org',
  npm_downloads: 'https://api.npmjs.org',
  pypi: 'https://pypi.org',
  pypi_downloads: 'https://pypistats.org',
  clawhub: 'https://clawhub.ai',
}

function skillRegistriesOf(text: string, problems: string[]): SkillRegistryUrls {
  const given = parsedObject(text)
  const wrong = Object.entries(given ?? { '': '' }).filter(
    ([name, url]) =>
      !(name in SKILL_REGISTRIES) || typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url),
  )
  if (wrong.length > 0)
    problems.push(
      `GUILDHALL_SKILL_REGISTRIES is not a JSON object of addresses under ${Object.keys(SKILL_REGISTRIES).join(', ')}.`,
    )
  const urls = Object.entries({ ...SKILL_REGISTRIES, ...given }).map(([name, url]) => [name, url.replace(/\/+$/, '')])
  return wrong.length > 0 ? SKILL_REGISTRIES : (Object.fromEntries(urls) as SkillRegistryUrls)
}

function parsedObject(text: string): Record<string, string> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : null
  } catch {
    return null
  }
}

const MAIL_FROM = /^[^\s<>@]+@[A-Za-z0-9.-]+$|^[^<>@\r\n]* <[^\s<>@]+@[A-Za-z0-9.-]+>$/

function metricsOf(read: ReturnType<typeof reader>): Settings['metrics'] {
  const port = read.integer('GUILDHALL_METRICS_PORT', 0, 0, 65_535)
  return port === 0 ? null : { host: read.text('GUILDHALL_METRICS_HOST', '127.0.0.1'), port }
}

function mailOf(read: Reader, problems: string[]): Settings['mail'] {
  const smtpUrl = read.text('GUILDHALL_SMTP_URL', '')
  if (smtpUrl === '') return null
  if (!URL.canParse(smtpUrl) || !/^smtps?:/.test(smtpUrl))
    problems.push('GUILDHALL_SMTP_URL is not an address such as smtps://user:password@mail.example.')
  const from = read.required(
    'GUILDHALL_MAIL_FROM',
    'the address that mails come from, such as Guildhall <hall@example.org>',
  )
  if (from !== '' && !MAIL_FROM.test(from))
    problems.push('GUILDHALL_MAIL_FROM is not a mail address such as Guildhall <hall@example.org>.')
  return { smtpUrl, from }
}

/** Where a browser on this machine reaches a service that listens on all addresses. */
const reachable = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host

function baseUrlOf(text: string, problems: string[]): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, '')
  problems.push(
    'GUILDHALL_BASE_URL is missing or not an address: where the service is reached from outside, such as https://guildhall.example.',
  )
  return text
}

function secretKey(text: string, problems: string[]): Uint8Array {
  if (/^(0x)?[0-9a-fA-F]{64}$/.test(text)) return Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'))
  if (text !== '') problems.push('GUILDHALL_REGISTRY_KEY is not a key: 64 hexadecimal digits are needed.')
  return new Uint8Array(32)
}

function walletKey(name: string, text: string, problems: string[]): `0x${string}` | null {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text as `0x${string}`
  if (text !== '') problems.push(`${name} is not a key: 0x and 64 hexadecimal digits are needed.`)
  return null
}

function share(name: string, text: string, problems: string[]): number {
  if (text === '') return limits.testing.minScore
  if (!/^(0|1|0\.\d{1,6})$/.test(text)) problems.push(`${name} is a number from 0 to 1, such as 0.2.`)
  return Number(text)
}

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

/** GUILDHALL_NETWORKS is a JSON list; what is publicly known of a network need not be repeated. */
function networksOf(read: Reader, mode: Settings['mode'], problems: string[]): readonly ServiceNetwork[] {
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
  return list.flatMap((entry: Record<string, unknown>) => {
    const network = networkOf(entry, facilitatorUrl, mode, problems)
    return network ? [network] : []
  })
}

function networkOf(
  entry: Record<string, unknown>,
  fallback: string,
  mode: Settings['mode'],
  problems: string[],
): ServiceNetwork | null {
  const network = String(entry.network ?? '')
  const known = KNOWN[network] ?? {}
  const missing = (what: string) => problems.push(`GUILDHALL_NETWORKS: ${network || 'an entry'} needs ${what}.`)
  const rpcUrl = String(entry.rpc_url ?? '')
  // The third mainnet is served only where a facilitator of its own is named.
  const facilitatorUrl = String(
    entry.facilitator_url ?? (network === THIRD_MAINNET.id && mode === 'production' ? '' : fallback),
  )
  const usdc = String(entry.usdc ?? known.usdc ?? '').toLowerCase()
  const name = String(entry.name ?? known.domain?.name ?? '')
  const version = String(entry.version ?? known.domain?.version ?? '')
  const confirmations = Number(entry.confirmations ?? known.confirmations ?? 2)
  const finality = Number(entry.finality ?? known.finality ?? 12)
  const large = largeOf(entry)
  const before = problems.length
  if (!/^eip155:[1-9]\d*$/.test(network)) missing('a network id such as eip155:8453')
  if (!URL.canParse(rpcUrl)) missing('rpc_url')
  if (!URL.canParse(facilitatorUrl)) missing('facilitator_url (or GUILDHALL_FACILITATOR_URL)')
  if (!/^0x[0-9a-f]{40}$/.test(usdc)) missing('usdc, the address of the token')
  if (name === '' || version === '') missing('name and version, the EIP-712 domain of the token')
  if (!Number.isInteger(confirmations) || confirmations < 1) missing('confirmations of 1 or more')
  if (!Number.isInteger(finality) || finality < confirmations) missing('a finality that is not below its confirmations')
  if (large === null || (large && large.finality < finality))
    missing('large_usdc and large_finality, an amount and a finality that is not below the other, or neither')
  if (problems.length > before) return null
  return {
    network,
    rpcUrl,
    facilitatorUrl,
    usdc: usdc as `0x${string}`,
    domain: { name, version },
    confirmations,
    finality,
    ...(large ? { large } : {}),
  }
}

/** Undefined where no amount is large, null where that is said in half. */
function largeOf({ large_usdc, large_finality }: Record<string, unknown>): ServiceNetwork['large'] | null {
  if (large_usdc === undefined && large_finality === undefined) return undefined
  const fromAtomic = parseUsdc(String(large_usdc ?? ''))
  const finality = Number(large_finality ?? Number.NaN)
  return fromAtomic === null || !Number.isInteger(finality) ? null : { fromAtomic, finality }
}

type Reader = ReturnType<typeof reader>

function reader(environment: Environment, problems: string[]) {
  const text = (name: string, fallback: string) => environment[name] || fallback
  return {
    text,
    required(name: string, what: string): string {
      const value = text(name, '')
      if (value === '') problems.push(`${name} is missing: ${what}.`)
      return value
    },
    list: (name: string, fallback = ''): readonly string[] =>
      text(name, fallback)
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
      const value = text(name, fallback)
      const found = values.find((known) => known === value)
      if (found === undefined) problems.push(`${name} is '${value}', but it can only be ${values.join(' or ')}.`)
      return found ?? fallback
    },
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name, String(fallback))
      const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      problems.push(`${name} is '${value}', but a whole number from ${min} to ${max} is needed.`)
      return fallback
    },
    usdc(name: string, fallback: bigint): bigint {
      const value = environment[name]
      if (!value) return fallback
      const amount = parseUsdc(value)
      if (amount === null || amount === 0n) problems.push(`${name} is '${value}', but an amount of USDC is needed.`)
      return amount ?? fallback
    },
  }
}
