import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGuildhall } from '@guildhall/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { checkpointAt, sampleLedger } from '../../../sdk/tests/support/sample-ledger.ts'
import { checkEntryIsUnderCheckpoint } from './entry-is-under-checkpoint.ts'

const entries = sampleLedger(1_100)

/** A service that shows this ledger, with the checkpoint at sequence 2 and no other. */
async function ledgerWithOneCheckpoint(): Promise<string> {
  const checkpoints = [checkpointAt(entries.slice(0, 2))]
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
