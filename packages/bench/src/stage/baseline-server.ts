// A bare node:http server that does the minimum of one kind of request:
// `baseline-server.ts plain|select|verify|transaction`.
import { createHash, createPublicKey, type KeyObject, randomInt, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodePublicKey } from '@guildhall/protocol'
import { Pool } from 'pg'
import { ACCOUNTS } from '../seed/seed-baseline.ts'
import type { BaselineKind } from './start-baseline.ts'

type Answer = (request: IncomingMessage) => unknown | Promise<unknown>

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20, idleTimeoutMillis: 0 })
const keys = new Map<string, KeyObject>()

const answers: Record<BaselineKind, Answer> = {
  plain: () => ({ ok: true }),

  async select({ url = '' }) {
    const id = url.slice(url.lastIndexOf('/') + 1)
    const text = 'select id, title, description from items where id = $1'
    const { rows } = await pool.query({ name: 'item', text, values: [id] })
    return rows[0] ?? null
  },

  async verify(request) {
    const { method, url, headers } = request
    const bodyHash = createHash('sha256')
      .update(await bodyOf(request))
      .digest('hex')
    const [key = '', signature = ''] = (headers.authorization ?? '').slice('AgentSig '.length).split(':')
    const message = `${method}:${url}:${headers['x-timestamp']}:${bodyHash}:${headers['x-nonce']}`
    return { ok: verify(null, Buffer.from(message), keyOf(key), Buffer.from(signature, 'base64')) }
  },

  async transaction(request) {
    await bodyOf(request)
    const id = randomInt(ACCOUNTS)
    const client = await pool.connect()
    await client.query('BEGIN')
    await client.query({ name: 'lock', text: 'select balance from accounts where id = $1 for update', values: [id] })
    await client.query({
      name: 'entry',
      text: 'insert into entries (account, amount) values ($1, $2)',
      values: [id, 1],
    })
    await client.query({
      name: 'note',
      text: 'insert into notes (account, text) values ($1, $2)',
      values: [id, 'moved'],
    })
    await client.query('COMMIT')
    client.release()
    return { ok: true }
  },
}

/** Imported once per key, as the service does. */
function keyOf(text: string): KeyObject {
  const known = keys.get(text)
  if (known !== undefined) return known
  const x = Buffer.from(decodePublicKey(text) ?? []).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  keys.set(text, key)
  return key
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const answer = answers[process.argv[2] as BaselineKind]
const server = createServer(async (request, response) => {
  const body = JSON.stringify(await answer(request))
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body)
})
// Callers open more connections than they use at once.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
