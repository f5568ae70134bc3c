import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@guildhall/sandbox'
import { createLog, migrate } from '@guildhall/server/desk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runNode } from './support/run-node.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const room = mkdtempSync(join(tmpdir(), 'guildhall-operator-'))
let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(room, 'postgres'), log: () => {}, settings: { fsync: 'off' } })
  await migrate(postgres.url, createLog('silent'))
})

afterAll(async () => {
  await postgres.stop()
  rmSync(room, { recursive: true, force: true })
})

const guildhall = (...words: string[]) => runNode([MAIN, ...words], { DATABASE_URL: postgres.url })

test('an operator pauses payouts with a reason, sees it, and lets them go on', async () => {
  expect((await guildhall('payouts', 'status')).stdout).toContain('Payouts are running.\n0 are queued, 0.00 USDC.')
  expect((await guildhall('payouts', 'pause', 'a look at the books')).stdout).toContain(
    'Payouts are paused: a look at the books.',
  )
  expect(JSON.parse((await guildhall('payouts', 'status', '--json')).stdout)).toEqual({
    paused: true,
    reason: 'a look at the books',
    queued: { count: 0, atomic: '0' },
  })
  expect((await guildhall('payouts', 'resume')).stdout).toContain('Payouts are running.')
})

test.each([
  ['payouts', 'pause', ' '],
  ['testing', 'reject', 'tst_1', ''],
  ['testing', 'revise', 'task_1', ''],
  ['testing', 'dispute', 'task_1', ''],
  ['testing', 'workers', 'suspend', 'somebody', ''],
])('a reason that somebody will read is not empty: %s %s', async (...words) => {
  const refused = await guildhall(...words)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('It must not be empty') })
})

test('a payout that does not exist is not redirected', async () => {
  expect(await guildhall('payouts', 'redirect', 'tr_nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no payout tr_nothing'),
  })
})

test('strays are listed, and one that does not exist is not returned', async () => {
  expect((await guildhall('suspense', 'list')).stdout).toContain('Nothing that came unasked waits here')
  expect((await guildhall('suspense', 'list', '--all')).stdout).toContain('Nothing has come unasked.')
  const refused = await guildhall('suspense', 'return', 'str_nothing')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no stray str_nothing') })
  expect(await guildhall('suspense', 'return', 'str_nothing', '--to', '0x12')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('0x12 is no address.'),
  })
  const mistyped = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267'
  expect(await guildhall('suspense', 'return', 'str_nothing', '--to', mistyped)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${mistyped} has a wrong checksum`),
  })
  expect((await guildhall('suspense', 'cover', 'str_nothing')).code).toBe(1)
})

test('without a database the operator is told what is missing', async () => {
  const nowhere = { DATABASE_URL: '', GUILDHALL_DATA_DIR: join(room, 'nowhere') }
  for (const words of [
    ['payouts', 'status'],
    ['feedback', 'list'],
  ]) {
    const { code, stderr } = await runNode([MAIN, ...words], nowhere)
    expect(code).toBe(1)
    expect(stderr).toContain('DATABASE_URL is missing: the PostgreSQL of the service. No sandbox runs on')
  }
})

test.each(['inbox', 'payouts pause x', 'feedback list'])(
  'on a database that has not been migrated the operator is told what to do: %s',
  async (words) => {
    const bare = new URL(postgres.url)
    bare.pathname = '/postgres'
    expect(await runNode([MAIN, ...words.split(' ')], { DATABASE_URL: bare.href })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database at DATABASE_URL is not up to date: run `guildhall migrate` first.\n',
    })
  },
)

test('the inbox shows what waits, and how it is dealt with', async () => {
  expect((await guildhall('inbox')).stdout).toBe('Nothing waits for you.\n')
  await guildhall('payouts', 'pause', 'a look\u001b[2J at the books')
  const { stdout } = await guildhall('inbox')
  expect(stdout).toContain('payouts are paused: a look\uFFFD[2J at the books')
  expect(stdout).toContain('> guildhall payouts resume')
  expect(JSON.parse((await guildhall('inbox', '--json')).stdout)).toMatchObject({ kind: 'payouts' })
  expect(stdout).not.toContain('--limit')
  expect((await guildhall('inbox', '--limit', '1')).stdout).toMatch(
    /\nAt most 1 of each kind are shown: --limit shows more\.\n$/,
  )
  await guildhall('payouts', 'resume')
  expect(await guildhall('inbox', '--limit', '1000')).toMatchObject({
    code: 1,
    stderr: "--limit is '1000', but a whole number from 1 to 999 is needed.\n",
  })
})

test('a testing request that does not exist is not found', async () => {
  expect((await guildhall('testing', 'list')).stdout).toBe('There are no such requests.\n')
  expect((await guildhall('testing', 'workers', 'list')).stdout).toBe('Nobody has worked on a test yet.\n')
  for (const words of [
    ['show', 'treq_1'],
    ['approve', 'treq_1'],
    ['accept', 'task_1'],
    ['delivery', 'task_1'],
    ['list', '--status', 'great'],
  ])
    expect((await guildhall('testing', ...words)).code).toBe(1)
})
