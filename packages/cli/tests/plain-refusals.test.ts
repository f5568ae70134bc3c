import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_VERSION } from '@guildhall/protocol'
import { afterAll, expect, test } from 'vitest'
import { runNode } from './support/run-node.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const room = mkdtempSync(join(tmpdir(), 'guildhall-refusals-'))
const file = join(room, 'a-file')
writeFileSync(file, '')
const damaged = join(room, 'damaged')
mkdirSync(damaged)
writeFileSync(join(damaged, 'ledger-head.json'), '{"sequence":')
afterAll(() => rmSync(room, { recursive: true, force: true }))

const nowhere = { DATABASE_URL: 'postgresql://127.0.0.1:1/nothing', GUILDHALL_DATA_DIR: join(room, 'data') }
const unreachable = 'No connection to PostgreSQL could be had. (connect ECONNREFUSED 127.0.0.1:1)\n'
const noDatabase = expect.stringMatching(
  /^DATABASE_URL is not the address of a PostgreSQL, such as postgresql:.+%2F.+\n$/,
)
const key = { GUILDHALL_AGENT_KEY: '5a'.repeat(32) }
const noAddress = 'nonsense is not the address of a service, such as http://127.0.0.1:8787.\n'
const noDirectory = expect.stringMatching(/^GUILDHALL_DATA_DIR cannot be used: .+\n$/)
const served = {
  DATABASE_URL: 'postgresql://127.0.0.1:1/nothing',
  GUILDHALL_BASE_URL: 'http://127.0.0.1:1',
  GUILDHALL_PAYMENTS: 'disabled',
  GUILDHALL_ESCROW: 'disabled',
  GUILDHALL_REGISTRY_KEY: '0123456789abcdef'.repeat(4),
}
const port = (text: string) =>
  `The settings do not allow a start:\n  - PORT is '${text}', but a whole number from 1 to 65535 is needed.\n`

test.each([
  ['migrate', nowhere, 1, unreachable],
  // A password with a slash that is not written as %2F.
  ['migrate', { DATABASE_URL: 'postgresql://guildhall:s/cret@127.0.0.1/x' }, 1, noDatabase],
  // Without a scheme.
  ['inbox', { DATABASE_URL: 'guildhall' }, 1, noDatabase],
  ['sandbox', { DATABASE_URL: 'mysql://guildhall@127.0.0.1/x' }, 1, noDatabase],
  ['inbox', nowhere, 1, unreachable],
  ['feedback list', nowhere, 1, unreachable],
  ['verify chain --url nonsense', {}, 1, noAddress],
  ['agent unlink --url nonsense', key, 1, noAddress],
  ['verify chain --url ftp://x/', {}, 1, 'ftp://x/ is not the address of a service, such as http://127.0.0.1:8787.\n'],
  ['demo --url foo://x', {}, 1, 'foo://x is not an address such as http://127.0.0.1:8787.\n'],
  ['agent identity status somebody --url nonsense', {}, 1, noAddress],
  ['sandbox', { PORT: 'abc' }, 2, port('abc')],
  ['sandbox', { PORT: '70000' }, 2, port('70000')],
  ['sandbox', { PORT: '0' }, 2, port('0')],
  [
    'sandbox',
    { PORT: '41599', HOST: '203.0.113.1' },
    1,
    expect.stringMatching(/^Nothing can listen on 203\.0\.113\.1, port 41599: .+\n$/),
  ],
  ['sandbox', { PORT: '41599', GUILDHALL_DATA_DIR: file }, 1, noDirectory],
  [
    'serve',
    { ...served, GUILDHALL_DATA_DIR: damaged },
    1,
    expect.stringMatching(/^.+ledger-head\.json is damaged: .+ remove it\.\n$/),
  ],
])('what is wrong is told in a sentence, without a stack trace: %s %j', async (words, environment, code, sentence) => {
  const ended = await runNode([MAIN, ...words.split(' ')], { DATABASE_URL: '', ...environment })
  expect([ended.code, ended.stderr]).toEqual([code, sentence])
})

test.each([[['verify', 'receipt', '']], [['agent', 'identity', 'status', '..']]])(
  'an argument that no path can carry is told in a sentence: %j',
  async (words) => {
    const { code, stderr } = await runNode([MAIN, ...words])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .* It names nothing\.\n\(.*\)\n$/)])
  },
)

const inProc = { GUILDHALL_DATA_DIR: '/proc/x/y' }

test.runIf(process.platform === 'linux').each([
  ['sandbox', { PORT: '41599', ...inProc }],
  ['serve', { ...served, ...inProc }],
])('%s does not wait for a directory that can never be made', async (word, environment) => {
  const ended = await runNode([MAIN, word], { DATABASE_URL: '', ...environment })
  expect([ended.code, ended.stderr]).toEqual([1, noDirectory])
})

test.runIf(process.platform === 'linux')(
  'a data directory that cannot be written to is told in a sentence',
  async () => {
    const ended = await runNode([MAIN, 'sandbox'], {
      DATABASE_URL: '',
      PORT: '41599',
      GUILDHALL_DATA_DIR: '/proc/self',
    })
    expect([ended.code, ended.stderr]).toEqual([1, noDirectory])
  },
)

test.each(['nonsense', '5a'.repeat(32)])(
  'a registry’s key that is none is no fault of the ledger: %s',
  async (text) => {
    const { code, stderr } = await runNode([MAIN, 'verify', 'chain', '--url', 'http://127.0.0.1:1', '--key', text])
    expect([code, stderr]).toEqual([1, expect.stringContaining('It is no Ed25519 public key in base58.')])
  },
)

test('the version is told', async () => {
  expect(await runNode([MAIN, '--version'])).toMatchObject({ code: 0, stdout: `${API_VERSION}\n` })
})

test('a key that is missing is named once', async () => {
  const { code, stderr } = await runNode([MAIN, 'serve'], { DATABASE_URL: '', GUILDHALL_REGISTRY_KEY: '' })
  expect(code).toBe(2)
  expect(stderr.match(/GUILDHALL_REGISTRY_KEY/g)).toHaveLength(1)
})
