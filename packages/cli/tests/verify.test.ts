import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { encodePublicKey } from '@guildhall/protocol'
import { freePort } from '@guildhall/sandbox'
import { createGuildhall, generateKey } from '@guildhall/sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ensureSandbox, type UsedSandbox } from '../src/demo/ensure-sandbox.ts'
import { createNarrator } from '../src/demo/narrator.ts'
import { DoesNotHoldError } from '../src/verify/does-not-hold-error.ts'
import { verifyChain } from '../src/verify/verify-chain.ts'
import { verifyReceipts } from '../src/verify/verify-receipt.ts'
import { type BendingProxy, startBendingProxy } from './support/bending-proxy.ts'
import { runNode } from './support/run-node.ts'

const START_MS = 300_000

let dataDir: string
let sandbox: UsedSandbox
let proxy: BendingProxy
let taskId: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'guildhall-verify-'))
  vi.stubEnv('GUILDHALL_DATA_DIR', dataDir)
  vi.stubEnv('DATABASE_URL', '')
  sandbox = await ensureSandbox(`http://127.0.0.1:${await freePort()}`, { say() {}, progress() {} })
  proxy = await startBendingProxy(sandbox.url)
  taskId = await deliverATask()
}, START_MS)

afterAll(async () => {
  proxy?.stop()
  await sandbox?.stop()
  await rm(dataDir, { recursive: true, force: true })
}, START_MS)

const agent = async (name: string) => {
  const client = createGuildhall({ baseUrl: sandbox.url, key: generateKey().secretKey })
  await client.agents.register({ name, description: 'Has its work checked.', capabilities: ['anything'] })
  return client
}

async function deliverATask(): Promise<string> {
  const [buyer, worker] = [await agent('Checked buyer'), await agent('Checked worker')]
  const { task_id } = await buyer.tasks.post({ title: 'Count', description: 'To three.' })
  await worker.tasks.claim(task_id)
  await worker.tasks.deliver(task_id, { summary: 'One, two, three.', submission_type: 'json' })
  await buyer.tasks.revision(task_id, { note: 'And four.' })
  await worker.tasks.deliver(task_id, { summary: 'One, two, three, four.', submission_type: 'json' })
  await buyer.tasks.accept(task_id)
  await buyer.tasks.publish(task_id)
  return task_id
}

type Bent = { sequence: number; agent_id: string; [field: string]: unknown }
type Said = { readonly stdout: string; readonly fault: string | null }

/** What is said of the answers when `bend` has changed them. */
async function told(bend: BendingProxy['bend'], check: 'chain' | 'receipts', key?: string): Promise<Said> {
  proxy.bend = bend
  const output = new PassThrough()
  const client = createGuildhall({ baseUrl: proxy.url })
  const narrator = createNarrator(output)
  const checked = check === 'chain' ? verifyChain(client, narrator, key) : verifyReceipts(client, taskId, narrator, key)
  const fault = await checked.then(
    () => null,
    (error: unknown) => (error instanceof DoesNotHoldError ? error.message : String(error)),
  )
  output.end()
  return { stdout: await text(output), fault }
}

const honest: BendingProxy['bend'] = () => {}

/** The command itself, on what the proxy says now. */
const command = (...words: string[]) => runNode(['packages/cli/src/main.ts', 'verify', ...words, '--url', proxy.url])

const bendEntry =
  (sequence: number, change: (entry: Bent) => void): BendingProxy['bend'] =>
  (path, body) => {
    if (!path.startsWith('/v1/chain?')) return
    for (const entry of (body.entries ?? []) as Bent[]) if (entry.sequence === sequence) change(entry)
  }

const entryWith = (sequence: number, fields: Partial<Bent>) =>
  bendEntry(sequence, (entry) => {
    Object.assign(entry, fields)
  })

test('an honest ledger holds, and the command says what it checked', async () => {
  const { code, stdout, stderr } = await command('chain')
  expect([code, stderr]).toEqual([0, ''])
  const { sequence, entry_hash, checkpoints } = await createGuildhall({ baseUrl: sandbox.url }).chain.latest()
  expect(stdout).toContain(`✓ ${sequence} entries are numbered without a gap`)
  expect(stdout).toContain(`✓ every checkpoint (${checkpoints.length}) is signed by the registry`)
  expect(stdout).toContain(`Entries from ${(checkpoints.at(-1)?.sequence ?? 0) + 1} on wait for the next checkpoint`)
  expect(stdout).toContain(entry_hash)
  expect(stdout).toContain('The ledger holds.')
  expect(stdout).not.toContain('█')
})

test('a falsified answer ends the command with code 6, and the entry is named', async () => {
  proxy.bend = entryWith(4, { agent_id: 'ag_somebody' })
  const { code, stdout, stderr } = await command('chain')
  expect(code).toBe(6)
  expect(stdout).toContain('✗ Entry 4 does not hash to its own entry_hash (wrong_hash).')
  expect(stderr).toContain('Entry 4')
  expect(stdout).not.toContain('The ledger holds.')
})

test.each([
  ['profile_hash', 3, { profile_hash: '0'.repeat(64) }, 'Entry 3 does not hash'],
  ['timestamp', 4, { timestamp: '2020-01-01T00:00:00.000Z' }, 'Entry 4 does not hash'],
  ['previous_hash', 5, { previous_hash: '0'.repeat(64) }, 'Entry 5 does not name'],
  ['sequence', 2, { sequence: 9 }, 'Entry 2 does not carry the number'],
  ['entry_type', 1, { entry_type: 'registration' }, 'Entry 1 is not what the first entry'],
])('a falsified %s is named with its sequence', async (_field, sequence, fields, sentence) => {
  const { stdout, fault } = await told(entryWith(sequence, fields), 'chain')
  expect(stdout).toContain(`✗ ${sentence}`)
  expect(fault).toContain(sentence)
})

test('entries that are held back are noticed', async () => {
  const holdBack: BendingProxy['bend'] = (path, body) => {
    if (path.startsWith('/v1/chain?')) body.entries = (body.entries as Bent[]).slice(0, -1)
  }
  expect((await told(holdBack, 'chain')).fault).toContain('was held back')
})

test('a checkpoint that the registry did not sign does not count', async () => {
  const bend: BendingProxy['bend'] = (_path, body) => {
    for (const checkpoint of (body.checkpoints ?? []) as Bent[]) checkpoint.root_hash = '0'.repeat(64)
  }
  expect((await told(bend, 'chain')).fault).toContain('Entry 2 bears a checkpoint that the registry’s key did not sign')
  expect((await told(bend, 'receipts')).stdout).toContain('✗ the registry of entry 1 signed the checkpoint')
})

test('a ledger without the registry’s checkpoints does not hold, even if it names the registry’s key', async () => {
  const { public_key } = await createGuildhall({ baseUrl: sandbox.url }).chain.entry(1)
  const bend: BendingProxy['bend'] = (_path, body) => {
    if ('checkpoints' in body) body.checkpoints = []
  }
  const { fault } = await told(bend, 'chain', String(public_key))
  expect(fault).toContain('Entry 2 should bear a checkpoint, and none is shown')
})

test('a registry’s key that the caller names must be the one of the genesis', async () => {
  const { public_key } = await createGuildhall({ baseUrl: sandbox.url }).chain.entry(1)
  const somebodyElse = encodePublicKey(generateKey().publicKey)
  expect((await told(honest, 'chain', String(public_key))).fault).toBeNull()
  expect((await told(honest, 'chain', somebodyElse)).fault).toContain('Entry 1 names')
  expect((await told(honest, 'receipts', String(public_key))).fault).toBeNull()
  const { stdout, fault } = await told(honest, 'receipts', somebodyElse)
  expect(stdout).toContain('✗ entry 1 names the registry’s key that is known from elsewhere')
  expect(fault).toContain('does not hold')
  expect(await command('receipt', taskId, '--key', somebodyElse)).toMatchObject({ code: 6 })
})

test('every receipt of a task is checked, and where it stands in the ledger', async () => {
  proxy.bend = honest
  const { code, stdout, stderr } = await command('receipt', taskId)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.match(/✓ the agent’s own key signed the request/g)).toHaveLength(2)
  expect(stdout.match(/✓ entry \d+ of the ledger commits to exactly this receipt/g)).toHaveLength(2)
  expect(stdout.match(/✓ entry \d+ follows from that checkpoint link by link/g)).toHaveLength(2)
  expect(stdout).toContain('✓ it commits to the delivered content')
  expect(stdout).toContain('The receipts hold.')
})

test('a task without a delivery has no receipt that holds', async () => {
  proxy.bend = honest
  const buyer = await agent('Waiting buyer')
  const { task_id } = await buyer.tasks.post({ title: 'Count', description: 'To four.' })
  const { code, stdout } = await command('receipt', task_id)
  expect(code).toBe(0)
  expect(stdout).toContain('there is no receipt to check')
  expect(stdout).not.toContain('The receipts hold.')
})

test.each([
  ['payload_hash', '0'.repeat(64), 'it commits to the delivered content'],
  ['signature', 'A'.repeat(86).concat('=='), 'the agent’s own key signed'],
  ['completed_at', '2026-01-01T00:00:00.000Z', 'of the ledger commits to exactly this receipt'],
  ['chain_sequence', null, 'it is in the ledger'],
  ['chain_sequence', 1_000_000, 'entry 1000000 of the ledger commits to exactly this receipt'],
  ['chain_sequence', 0, 'entry 0 of the ledger commits to exactly this receipt'],
  ['task_id', 'task_00000000000000000000', 'it is a receipt of this task'],
])('a receipt with another %s does not hold', async (field, value, sentence) => {
  const bend: BendingProxy['bend'] = (path, body) => {
    if (path.includes('/receipts')) for (const receipt of body.receipts as Bent[]) receipt[field] = value
  }
  const { stdout, fault } = await told(bend, 'receipts')
  expect(fault).toContain('does not hold')
  expect(stdout).toMatch(new RegExp(`✗ .*${sentence}`))
})

test('links that do not lead from the checkpoint to the receipt are noticed', async () => {
  const { sequence } = await createGuildhall({ baseUrl: sandbox.url }).chain.latest()
  const { stdout } = await told(entryWith(sequence - 4, { public_key: 'bent' }), 'receipts')
  expect(stdout).toMatch(/✗ entry \d+ follows from that checkpoint/)
})

test('a receipt under a later checkpoint is proven by its Merkle path', async () => {
  const client = createGuildhall({ baseUrl: sandbox.url })
  await client.sandbox.moveClock(7_200)
  await agent('Comes an hour later')
  await client.sandbox.moveClock(7_200)
  const { stdout, fault } = await told(honest, 'receipts')
  expect(fault).toBeNull()
  expect(stdout.match(/✓ its Merkle root covers entry \d+/g)).toHaveLength(2)
  const bent = await told((path, body) => {
    if (path.includes('/proof/')) body.proof = (body.proof as string[]).toReversed()
  }, 'receipts')
  expect(bent.stdout).toMatch(/✗ its Merkle root covers/)
  const withoutProof = await told((path, body) => {
    if (path.includes('/proof/')) delete body.proof
  }, 'receipts')
  expect(withoutProof.stdout).toMatch(/✗ its Merkle root covers/)
  const withHoles = await told((path, body) => {
    if (path.includes('/proof/')) body.proof = (body.proof as string[]).map(() => null)
  }, 'receipts')
  expect(withHoles.stdout).toMatch(/✗ its Merkle root covers/)
})

test('a task that does not exist is a plain error', async () => {
  proxy.bend = honest
  const { code, stderr } = await command('receipt', 'task_00000000000000000000')
  expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('not_found')]])
})
