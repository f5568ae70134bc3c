import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { encodePublicKey, generateKey } from '@guildhall/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { runNode } from './support/run-node.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const ESCAPE = '\u001b[2J'

async function serviceThatSays(status: number, body: object): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a refusal of a service does not control the terminal', async () => {
  const url = await serviceThatSays(404, { error: 'not_found', message: `There is ${ESCAPE}nothing.` })
  const { code, stderr } = await runNode([MAIN, 'verify', 'chain', '--url', url])
  expect([code, stderr]).toEqual([1, 'not_found: There is �[2Jnothing.\n'])
})

test('an invitation to link a person does not control the terminal', async () => {
  const url = await serviceThatSays(200, { link_url: `http://x/${ESCAPE}`, link_id: 'lnk_1', expires_at: 'soon' })
  const words = [MAIN, 'agent', 'identity', 'link', '--url', url]
  const { stdout } = await runNode(words, { GUILDHALL_AGENT_KEY: '5a'.repeat(32) })
  expect(stdout).toContain('http://x/�[2J')
  expect(stdout).not.toContain('\u001b')
})

test('a service that shows an empty ledger does not hold: code 6', async () => {
  const url = await serviceThatSays(200, { sequence: 0, checkpoints: [], entries: [] })
  const key = encodePublicKey(generateKey().publicKey)
  const { code, stdout, stderr } = await runNode([MAIN, 'verify', 'chain', '--url', url, '--key', key])
  expect([code, stderr]).toEqual([6, expect.stringContaining('Entry 1 was held back')])
  expect(stdout).not.toContain('The ledger holds.')
})

test.each([
  'verify chain',
  'verify receipt task_1',
  'agent link ABCD',
  'agent unlink',
  'agent identity link',
  'agent identity status',
  'agent identity unlink',
])(
  'an address where something else answers with JSON is told in a sentence, and nothing counts as done: %s',
  async (words) => {
    const url = await serviceThatSays(200, {})
    const { code, stderr } = await runNode([MAIN, ...words.split(' '), '--url', url], {
      GUILDHALL_AGENT_KEY: '5a'.repeat(32),
    })
    expect([code, stderr]).toEqual([1, 'What answers at this address is not a Guildhall service.\n'])
  },
)

test.each([
  ['verify chain', { sequence: 1, checkpoints: [null] }],
  ['verify chain', { sequence: 1, checkpoints: [] }],
  ['verify chain', { sequence: 1, checkpoints: [], entries: [null] }],
  ['verify chain', { sequence: 1, checkpoints: [], entries: [{}] }],
  ['verify receipt task_1', { receipts: [null] }],
])('lists without what belongs into them are told in a sentence: %s, %j', async (words, body) => {
  const url = await serviceThatSays(200, body)
  const { code, stderr } = await runNode([MAIN, ...words.split(' '), '--url', url])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^(What answers at this address|The answer) is not .* Guildhall service.*\.\n$/)
})

test('receipts without their fields are told in a sentence', async () => {
  const url = await serviceThatSays(200, { receipts: [{}] })
  const { code, stderr } = await runNode([MAIN, 'verify', 'receipt', 'task_1', '--url', url])
  expect([code, stderr]).toEqual([1, 'What answers at this address is not a Guildhall service.\n'])
})
