import { BASE, HOUR, limits, ONE_USDC, SECOND } from '@guildhall/protocol'
import { reachableUrl } from '../http/reachable-url.ts'
import { databaseUrlProblem } from './database-url-problem.ts'
import { type Environment, type EnvironmentReader, environmentReader } from './environment-reader.ts'
import { payoutProblems } from './payout-problems.ts'
import { LOOPBACK, networkList, proxiesOf } from './read-addresses.ts'
import { readClaimBudget } from './read-claim-budget.ts'
import { secretKey } from './read-keys.ts'
import { mailOf } from './read-mail.ts'
import { networksOf } from './read-networks.ts'
import { openidOf } from './read-openid.ts'
import { skillRegistriesOf } from './read-skill-registries.ts'
import { NO_WALLETS, walletsOf } from './read-wallets.ts'
import type { Settings } from './settings.ts'
import { SettingsError } from './settings-error.ts'
import { unsafeSettings } from './unsafe-settings.ts'

/** The only reader of the environment: returns complete, checked settings, or throws with all problems. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = []
  const read = environmentReader(environment, problems)
  const mode = read.oneOf('GUILDHALL_MODE', ['production', 'sandbox'], 'production')
  const host = read.text('HOST', '127.0.0.1')
  const port = read.integer('PORT', 8787, 0, 65_535)
  const payments = read.oneOf('GUILDHALL_PAYMENTS', ['enabled', 'disabled'], 'enabled') === 'enabled'
  const escrow = read.oneOf('GUILDHALL_ESCROW', ['enabled', 'disabled'], 'enabled') === 'enabled'
  const role = read.oneOf('GUILDHALL_ROLE', ['api', 'worker', 'both', 'reader'], 'both')
  const settings: Settings = {
    mode,
    role,
    host,
    port,
    baseUrl: baseUrlOf(read.text('GUILDHALL_BASE_URL', mode === 'sandbox' ? reachableUrl(host, port) : ''), problems),
    dataDir: read.text('GUILDHALL_DATA_DIR', './.guildhall'),
    databaseUrl: databaseUrlOf(
      read.required('DATABASE_URL', 'the PostgreSQL to use, such as postgresql://user@host/guildhall'),
      problems,
    ),
    maxLagMs: read.integer('GUILDHALL_MAX_LAG_MS', 10 * SECOND, 0, HOUR),
    serviceName: serviceNameOf(read.text('GUILDHALL_SERVICE_NAME', 'Guildhall'), problems),
    registryKey: secretKey(
      read.required('GUILDHALL_REGISTRY_KEY', 'the Ed25519 key that signs ledger checkpoints, 32 bytes in hex'),
      problems,
    ),
    ...(payments && escrow ? walletsOf(read, role, problems) : NO_WALLETS),
    testing: {
      network: read.text('GUILDHALL_TESTING_NETWORK', BASE.id),
      bountyAtomic: read.usdc('GUILDHALL_TESTING_BOUNTY_USDC', 2n * ONE_USDC, limits.bounty.maxAtomic),
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
    minBountyAtomic: read.usdc('GUILDHALL_MIN_BOUNTY_USDC', limits.bounty.minAtomic, limits.bounty.maxAtomic),
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
    bondSlotAtomic: read.usdc('GUILDHALL_BOND_SLOT_USDC', ONE_USDC),
    maxPayoutAtomic: read.usdc('GUILDHALL_MAX_PAYOUT_USDC', limits.bounty.maxAtomic),
    maxHourlyPayoutAtomic: read.usdc('GUILDHALL_MAX_HOURLY_PAYOUT_USDC', 100_000n * ONE_USDC),
    settleInRequestMs: read.integer('GUILDHALL_SETTLE_IN_REQUEST_MS', 8 * SECOND, 0, 60 * SECOND),
    trustedProxies: proxiesOf(read.list('GUILDHALL_TRUSTED_PROXIES'), problems),
    maxInFlight: read.integer('GUILDHALL_MAX_IN_FLIGHT', 32, 1, 100_000),
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
    poolSize: read.integer('GUILDHALL_POOL_SIZE', 20, 2, 200),
    maxClockSkewMs:
      read.integer('GUILDHALL_MAX_CLOCK_SKEW_MS', mode === 'sandbox' ? 0 : 5 * SECOND, 0, 60 * SECOND) || null,
    metrics: metricsOf(read),
    logLevel: read.oneOf('GUILDHALL_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    failpoint: read.text('GUILDHALL_FAILPOINT', '') || null,
    checkAnswers: read.oneOf('GUILDHALL_CHECK_ANSWERS', ['0', '1'], '0') === '1',
    sandboxControlUrl: read.text('GUILDHALL_SANDBOX_CONTROL', '') || null,
    // Last: what the lines above have not asked for. A sandbox gives its nodes every setting, whatever is turned off.
    unread: mode === 'production' ? read.unread() : [],
  }
  problems.push(...payoutProblems(settings), ...unsafeSettings(settings))
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

function metricsOf(read: EnvironmentReader): Settings['metrics'] {
  const port = read.integer('GUILDHALL_METRICS_PORT', 0, 0, 65_535)
  return port === 0 ? null : { host: read.text('GUILDHALL_METRICS_HOST', '127.0.0.1'), port }
}

function baseUrlOf(text: string, problems: string[]): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    problems.push(
      'GUILDHALL_BASE_URL is missing or not an address: where the service is reached from outside, such as https://guildhall.example.',
    )
  else if (url.href !== `${url.origin}/`)
    problems.push(
      'GUILDHALL_BASE_URL is more than scheme, host and port, such as https://guildhall.example: paths are signed from the root of the service.',
    )
  return url?.origin ?? text
}

/** One that is missing is named already. */
function databaseUrlOf(url: string, problems: string[]): string {
  const problem = url === '' ? null : databaseUrlProblem(url)
  if (problem !== null) problems.push(problem)
  return url
}

function serviceNameOf(text: string, problems: string[]): string {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
    problems.push('GUILDHALL_SERVICE_NAME has a line break or a control character: texts to sign have it in one line.')
  return text
}

function share(name: string, text: string, problems: string[]): number {
  if (text === '') return limits.testing.minScore
  if (!/^(0|1|0\.\d{1,6})$/.test(text)) problems.push(`${name} is a number from 0 to 1, such as 0.2.`)
  return Number(text)
}
