import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@guildhall/sandbox'
import { createGuildhall, generateKey } from '@guildhall/sdk'
import { toHex } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../src/config/environment-reader.ts'
import { readSettings } from '../src/config/read-settings.ts'
import { SettingsError } from '../src/config/settings-error.ts'
import { startService } from '../src/start-service.ts'
import { rpc } from './support/chain-calls.ts'
import { refusalOf } from './support/refusals.ts'
import { ALL_NETWORKS, BASE, POLYGON, setStage } from './support/stage.ts'
import { silentLog } from './support/store.ts'

const stage = setStage({ networks: ALL_NETWORKS })
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'guildhall-boot-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const KEY = generatePrivateKey()

const networks = (...changes: readonly object[]) =>
  JSON.stringify(changes.map((change) => ({ network: BASE, rpc_url: 'http://127.0.0.1:1', ...change })))

/** Settings with which a production start is allowed. */
const GOOD: Environment = {
  GUILDHALL_BASE_URL: 'https://guildhall.example',
  DATABASE_URL: 'postgresql://guildhall@127.0.0.1/guildhall',
  GUILDHALL_REGISTRY_KEY: generatePrivateKey(),
  GUILDHALL_ESCROW_KEY: generatePrivateKey(),
  GUILDHALL_FACILITATOR_URL: 'https://facilitator.example',
  GUILDHALL_NETWORKS: networks({}),
}

function problemsOf(change: Environment): readonly string[] {
  try {
    readSettings({ ...GOOD, ...change })
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
}

describe('production', () => {
  test('starts with complete settings, at 22 bits of work and with limits', () => {
    expect(readSettings(GOOD)).toMatchObject({
      mode: 'production',
      registrationDifficulty: 22,
      registrationLimited: true,
      sandboxControlUrl: null,
      failpoint: null,
    })
  })

  const refused: readonly { what: string; change: Environment; names: string }[] = [
    { what: 'without a database', change: { DATABASE_URL: '' }, names: 'DATABASE_URL' },
    { what: 'without a registry key', change: { GUILDHALL_REGISTRY_KEY: '' }, names: 'GUILDHALL_REGISTRY_KEY' },
    {
      what: 'with a registry key that is none',
      change: { GUILDHALL_REGISTRY_KEY: '0x12' },
      names: 'GUILDHALL_REGISTRY_KEY',
    },
    {
      what: 'with a registry key that anybody could guess',
      change: { GUILDHALL_REGISTRY_KEY: '1'.repeat(64) },
      names: 'GUILDHALL_REGISTRY_KEY',
    },
    {
      what: 'with a registry key that is a small number',
      change: { GUILDHALL_REGISTRY_KEY: '1'.padStart(64, '0') },
      names: 'GUILDHALL_REGISTRY_KEY is not a random key',
    },
    ...['GUILDHALL_ESCROW_KEY', 'GUILDHALL_HOUSE_WALLET_KEY'].flatMap((name) =>
      ['0'.repeat(64), '1'.padStart(64, '0'), 'ab'.repeat(32)].map((digits) => ({
        what: `with a ${name} that anybody could guess, ${digits.slice(-4)}`,
        change: { [name]: `0x${digits}` },
        names: `${name} is not a random key`,
      })),
    ),
    { what: 'without an escrow key', change: { GUILDHALL_ESCROW_KEY: '' }, names: 'GUILDHALL_ESCROW_KEY' },
    {
      what: 'with an escrow key that is none',
      change: { GUILDHALL_ESCROW_KEY: '0x12' },
      names: 'GUILDHALL_ESCROW_KEY',
    },
    {
      what: 'with an escrow key that is larger than any key',
      change: { GUILDHALL_ESCROW_KEY: '0xffffffffffffffffffffffffffffffffbaaedce6af48a03bbfd25e8cd0364141' },
      names: 'GUILDHALL_ESCROW_KEY is not a key',
    },
    {
      what: 'with an escrow key that every node has',
      change: { GUILDHALL_ESCROW_KEY: KEY, GUILDHALL_REGISTRY_KEY: KEY },
      names: 'GUILDHALL_ESCROW_KEY is the registry key',
    },
    {
      what: 'with a house that pays from escrow, however its key is written',
      change: { GUILDHALL_ESCROW_KEY: KEY, GUILDHALL_HOUSE_WALLET_KEY: `0x${KEY.slice(2).toUpperCase()}` },
      names: 'GUILDHALL_HOUSE_WALLET_KEY is the escrow key',
    },
    {
      what: 'with an escrow wallet that its key cannot pay from',
      change: { GUILDHALL_ESCROW_WALLET: `0x${'1'.repeat(40)}` },
      names: 'GUILDHALL_ESCROW_WALLET is not the wallet of GUILDHALL_ESCROW_KEY',
    },
    {
      what: 'as a public node with neither the escrow key nor the wallet that it may have instead',
      change: { GUILDHALL_ESCROW_KEY: '', GUILDHALL_ROLE: 'api' },
      names: 'GUILDHALL_ESCROW_WALLET',
    },
    { what: 'without an address', change: { GUILDHALL_BASE_URL: '' }, names: 'GUILDHALL_BASE_URL' },
    { what: 'without networks', change: { GUILDHALL_NETWORKS: '' }, names: 'GUILDHALL_NETWORKS' },
    { what: 'with networks that are no list', change: { GUILDHALL_NETWORKS: '{}' }, names: 'GUILDHALL_NETWORKS' },
    { what: 'without a facilitator', change: { GUILDHALL_FACILITATOR_URL: '' }, names: 'facilitator_url' },
    {
      what: 'on a test network',
      change: {
        GUILDHALL_NETWORKS: networks({
          network: 'eip155:84532',
          usdc: `0x${'1'.repeat(40)}`,
          name: 'USDC',
          version: '2',
        }),
      },
      names: 'test network',
    },
    {
      what: 'with the play token',
      change: { GUILDHALL_NETWORKS: networks({ name: 'Guildhall Sandbox USDC' }) },
      names: 'play token',
    },
    {
      what: 'with a network that is named twice',
      change: { GUILDHALL_NETWORKS: networks({}, { rpc_url: 'http://127.0.0.1:2' }) },
      names: 'names eip155:8453 more than once',
    },
    ...['localhost:8545', 'ws://127.0.0.1:8545'].map((url) => ({
      what: `with an RPC endpoint that cannot be asked, ${url}`,
      change: { GUILDHALL_NETWORKS: networks({ rpc_url: url }) },
      names: 'needs rpc_url, an http or https address',
    })),
    {
      what: 'with a facilitator without a scheme',
      change: { GUILDHALL_FACILITATOR_URL: 'facilitator.example:443' },
      names: 'GUILDHALL_FACILITATOR_URL), an http or https address',
    },
    {
      what: 'with money that is final before it is confirmed',
      change: { GUILDHALL_NETWORKS: networks({ confirmations: 3, finality: 2 }) },
      names: 'finality',
    },
    {
      what: 'with a second node that has no address',
      change: { GUILDHALL_NETWORKS: networks({ second_rpc_url: '' }) },
      names: 'second_rpc_url',
    },
    {
      what: 'with the hand on the play parts',
      change: { GUILDHALL_SANDBOX_CONTROL: 'http://127.0.0.1:1' },
      names: 'GUILDHALL_SANDBOX_CONTROL',
    },
    { what: 'with a failpoint', change: { GUILDHALL_FAILPOINT: 'deposit: committed' }, names: 'GUILDHALL_FAILPOINT' },
    ...['1', 'true'].map((value) => ({
      what: `with checked answers, ${value}`,
      change: { GUILDHALL_CHECK_ANSWERS: value },
      names: 'GUILDHALL_CHECK_ANSWERS',
    })),
    {
      what: 'with more work than a nonce can prove',
      change: { GUILDHALL_DIFFICULTY: '27' },
      names: 'GUILDHALL_DIFFICULTY',
    },
    {
      what: 'with a claim budget below its floor',
      change: { GUILDHALL_CLAIM_BUDGET_MAX: '5', GUILDHALL_CLAIM_BUDGET_FLOOR: '6' },
      names: 'GUILDHALL_CLAIM_BUDGET_FLOOR',
    },
    {
      what: 'with a proxy in a network that there is not',
      change: { GUILDHALL_TRUSTED_PROXIES: '10.0.0.0/33' },
      names: 'GUILDHALL_TRUSTED_PROXIES',
    },
    {
      what: 'with a minimum that no bounty can reach',
      change: { GUILDHALL_MIN_BOUNTY_USDC: '1000.01' },
      names: 'GUILDHALL_MIN_BOUNTY_USDC',
    },
    {
      what: 'with a name that would break the texts to sign',
      change: { GUILDHALL_SERVICE_NAME: 'Guild\nhall' },
      names: 'GUILDHALL_SERVICE_NAME',
    },
    {
      what: 'with a mail server without a host',
      change: { GUILDHALL_SMTP_URL: 'smtp://', GUILDHALL_MAIL_FROM: 'hall@example.org' },
      names: 'GUILDHALL_SMTP_URL',
    },
    { what: 'in a mode that there is not', change: { GUILDHALL_MODE: 'staging' }, names: 'GUILDHALL_MODE' },
  ]

  test.each(refused)('does not start $what', ({ change, names }) => {
    expect(problemsOf(change).join('\n')).toContain(names)
  })

  test('does not start with a key that development chains hand out', () => {
    const words = 'test test test test test test test test test test test junk'
    for (let addressIndex = 0; addressIndex < 10; addressIndex++) {
      const account = mnemonicToAccount(words, { addressIndex })
      const key = toHex(account.getHdKey().privateKey ?? new Uint8Array())
      expect(problemsOf({ GUILDHALL_ESCROW_KEY: key })).toEqual([
        'GUILDHALL_ESCROW_KEY is a key of a development chain.',
      ])
      expect(problemsOf({ GUILDHALL_ROLE: 'api', GUILDHALL_ESCROW_WALLET: account.address })).toEqual([
        'GUILDHALL_ESCROW_WALLET is a wallet of a development chain: everybody has its key.',
      ])
    }
  })

  test('starts with the escrow key and the address of its wallet, however that is written', () => {
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    for (const wallet of [address, address.toLowerCase()])
      expect(problemsOf({ GUILDHALL_ESCROW_KEY: key, GUILDHALL_ESCROW_WALLET: wallet })).toEqual([])
  })

  test('names every problem at once', () => {
    const missing = { DATABASE_URL: '', GUILDHALL_ESCROW_KEY: '', GUILDHALL_DIFFICULTY: '99' }
    expect(problemsOf(missing)).toHaveLength(3)
  })

  test('takes the hardest work that a nonce can prove', () => {
    expect(problemsOf({ GUILDHALL_DIFFICULTY: '26' })).toEqual([])
  })
})

describe('a setting that nothing reads', () => {
  const unreadOf = (change: Environment) => readSettings({ ...GOOD, ...change }).unread

  test('is named, whether it is misspelt or about something that is turned off', () => {
    expect(unreadOf({ GUILDHALL_MAX_PAYOUT_USD: '100' })).toEqual(['GUILDHALL_MAX_PAYOUT_USD'])
    expect(unreadOf({ GUILDHALL_PAYMENTS: 'disabled' })).toContain('GUILDHALL_ESCROW_KEY')
  })

  test('is named, too, when it is a field of a network', () => {
    expect(unreadOf({ GUILDHALL_NETWORKS: networks({ finalty: 64 }) })).toEqual(['GUILDHALL_NETWORKS: finalty'])
  })

  test('is none where every name is known, empty or of another program', () => {
    expect(unreadOf({ GUILDHALL_MAX_PAYOUT_USDC: '100', GUILDHALL_METRICS_PORT: '9000' })).toEqual([])
    expect(unreadOf({ GUILDHALL_NOTHING: '', GUILDHALLS: '1', MAX_PAYOUT: '1' })).toEqual([])
  })

  test('is told in the log at the start, without its value', async () => {
    const lines: [string, unknown][] = []
    const settings = readSettings({
      ...GOOD,
      DATABASE_URL: stage.databaseUrl,
      GUILDHALL_DATA_DIR: join(dataDir, 'misspelt'),
      GUILDHALL_REGISTRY_KEY: stage.parts.keys.registry,
      GUILDHALL_PAYMENTS: 'disabled',
      GUILDHALL_OIDC_SECRET: 'hush',
      PORT: String(await freePort()),
    })
    const log = { ...silentLog, warn: (message: string, facts?: object) => void lines.push([message, facts]) }
    await (await startService(settings, { log })).stop()
    expect(lines).toContainEqual([expect.stringContaining('misspelt'), { setting: 'GUILDHALL_OIDC_SECRET' }])
    expect(JSON.stringify(lines)).not.toContain('hush')
  })
})

test('the sandbox does not start without its parts', () => {
  expect(problemsOf({ GUILDHALL_MODE: 'sandbox' }).join('\n')).toContain('GUILDHALL_SANDBOX_CONTROL')
})

describe('a node looks at its chains and does not start', () => {
  /** What a production start says of one network as the chain really is. */
  async function problemsOnChain(change: object): Promise<string> {
    const { network, rpcUrl, usdc } = stage.chain()
    const played = { network, rpc_url: rpcUrl, usdc, facilitator_url: stage.parts.facilitatorUrl, ...change }
    const settings = readSettings({
      ...GOOD,
      DATABASE_URL: stage.databaseUrl,
      GUILDHALL_DATA_DIR: join(dataDir, 'refused'),
      GUILDHALL_NETWORKS: JSON.stringify([played]),
      PORT: String(await freePort()),
    })
    const outcome = await startService(settings, { log: silentLog }).then(
      async (service) => {
        await service.stop()
        return 'it started'
      },
      (error: unknown) => error,
    )
    return outcome instanceof SettingsError ? outcome.problems.join('\n') : String(outcome)
  }

  test('on the node of another chain', async () => {
    expect(await problemsOnChain({ rpc_url: stage.chain(POLYGON).rpcUrl })).toContain('the node is on chain 137')
  })

  test('with a token that is not there', async () => {
    expect(await problemsOnChain({ usdc: `0x${'12'.repeat(20)}` })).toContain('there is no token')
  })

  test('with a token of another domain', async () => {
    expect(await problemsOnChain({ name: 'USD Coin', version: '2' })).toContain('EIP-712 domain')
  })

  test('with a token of other decimals', async () => {
    const usdc = `0x${'de'.repeat(20)}`
    // A contract that answers 18 to whatever it is asked.
    await rpc(stage.chain(), 'anvil_setCode', usdc, '0x601260005260206000f3')
    expect(await problemsOnChain({ usdc })).toContain('18 decimals')
  })
})

test('a node does not start where the sessions of its database are set otherwise than it asks for', async () => {
  const databaseUrl = new URL(stage.databaseUrl)
  databaseUrl.searchParams.set('options', '-c timezone=UTC')
  const settings = readSettings({
    ...GOOD,
    DATABASE_URL: databaseUrl.href,
    GUILDHALL_DATA_DIR: join(dataDir, 'pooled'),
    GUILDHALL_REGISTRY_KEY: stage.parts.keys.registry,
    GUILDHALL_PAYMENTS: 'disabled',
    PORT: String(await freePort()),
  })
  await expect(startService(settings, { log: silentLog })).rejects.toThrow(/lack lock_timeout = 2s.*pgbouncer\.ini/)
})

test('a node whose metrics port is taken does not start, says which setting to change, and leaves no port open', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const other = createServer().listen(metricsPort, '127.0.0.1')
  onTestFinished(() => void other.close())
  const settings = readSettings({
    ...GOOD,
    DATABASE_URL: stage.databaseUrl,
    GUILDHALL_DATA_DIR: join(dataDir, 'measured'),
    GUILDHALL_REGISTRY_KEY: stage.parts.keys.registry,
    GUILDHALL_PAYMENTS: 'disabled',
    GUILDHALL_METRICS_PORT: String(metricsPort),
    PORT: String(port),
  })
  const sentence = `Port ${metricsPort} on 127.0.0.1 is in use already: set GUILDHALL_METRICS_PORT to a free one`
  await expect(startService(settings, { log: silentLog })).rejects.toThrow(sentence)
  await expect(fetch(`http://127.0.0.1:${port}/v1/health`)).rejects.toThrow()
})

test('registration is limited in production: whoever asks too often is told when to come back', async () => {
  const port = await freePort()
  const settings = readSettings({
    ...GOOD,
    DATABASE_URL: stage.databaseUrl,
    GUILDHALL_DATA_DIR: join(dataDir, 'limited'),
    GUILDHALL_REGISTRY_KEY: stage.parts.keys.registry,
    GUILDHALL_PAYMENTS: 'disabled',
    PORT: String(port),
  })
  const service = await startService(settings, { log: silentLog })
  try {
    const client = createGuildhall({ baseUrl: `http://127.0.0.1:${port}`, attempts: 1 })
    const publicKey = () =>
      createGuildhall({ baseUrl: 'http://127.0.0.1', key: generateKey().secretKey }).agentId?.slice(3) ?? ''
    const init = () => client.call('registerInit', { body: { public_key: publicKey() } })
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, init))
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(10)
    const limited = await refusalOf(init(), 'rate_limited')
    expect(limited.retryAfterSeconds).toBeGreaterThan(0)
  } finally {
    await service.stop()
  }
})
