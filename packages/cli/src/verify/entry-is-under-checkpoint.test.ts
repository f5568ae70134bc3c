import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  encodePublicKey,
  entryHash,
  generateKey,
  growingTree,
  type LedgerEntry,
  leafHash,
  NO_PREVIOUS_HASH,
  signCheckpoint,
} from '@guildhall/protocol'
import { createGuildhall } from '@guildhall/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { checkEntryIsUnderCheckpoint } from './entry-is-under-checkpoint.ts'

const registry = generateKey(new Uint8Array(32).fill(9))
const TIME = '2030-01-01T00:00:00.000Z'

const entries: LedgerEntry[] = []
for (let sequence = 1; sequence <= 1_100; sequence++) {
  const fields = {
    sequence,
    previous_hash: entries.at(-1)?.entry_hash ?? NO_PREVIOUS_HASH,
    entry_type: sequence === 1 ? 'genesis' : 'registration',
    agent_id: null,
    public_key: sequence === 1 ? encodePublicKey(registry.publicKey) : null,
    profile_hash: 'ab'.repeat(32),
    timestamp: TIME,
  }
  entries.push({ ...fields, agent_name: null, entry_hash: entryHash(fields) })
}

function checkpointAt(sequence: number) {
  const tree = growingTree()
  for (const entry of entries.slice(0, sequence)) tree.append(leafHash(entry.entry_hash))
  return signCheckpoint(registry.secretKey, {
    sequence,
    entry_hash: entries[sequence - 1]?.entry_hash ?? '',
    tree_size: sequence,
    root_hash: Buffer.from(tree.root()).toString('hex'),
    issued_at: TIME,
  })
}

/** A service that shows this ledger, with the checkpoint at sequence 2 and no other. */
async function ledgerWithOneCheckpoint(): Promise<string> {
  const checkpoints = [checkpointAt(2)]
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://ledger')
    const place = pathname.replace(/^\/v1\/chain\/?/, '')
    const shown = entries.slice(Number(searchParams.get('from')) - 1, Number(searchParams.get('to')))
    const body = place === '' ? { entries: shown } : place === 'latest' ? entries.at(-1) : entries[Number(place) - 1]
    response.end(JSON.stringify({ ...body, checkpoints }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  [1_001, true],
  [1_002, false],
])(
  'an entry that follows link by link needs a checkpoint within the last 1,000 entries: %i, %s',
  async (sequence, holds) => {
    const client = createGuildhall({ baseUrl: await ledgerWithOneCheckpoint() })
    const failed: string[] = []
    await checkEntryIsUnderCheckpoint(client, await client.chain.entry(sequence), (held, sentence) => {
      if (!held) failed.push(sentence)
    })
    expect(failed).toEqual(holds ? [] : [expect.stringContaining('a checkpoint within the last 1,000 entries')])
  },
)
