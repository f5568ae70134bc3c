import fc from 'fast-check'
import { numberToHex, pad } from 'viem'
import { expect, test } from 'vitest'
import { sampleAuthorization } from '../../tests/support/samples.ts'
import { readEvidence } from './authorization-evidence.ts'
import { type Rpc, RpcFailure, readHash, readQuantity, writeQuantity } from './json-rpc.ts'
import { AUTHORIZATION_USED, TRANSFER } from './token-abi.ts'
import { readAllLogs, readTransactionLogs } from './token-logs.ts'

const hex = fc.oneof(
  fc.uint8Array({ maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  fc.string(),
)
const log = fc.record(
  {
    address: hex,
    topics: fc.oneof(fc.array(hex, { maxLength: 4 }), fc.jsonValue()),
    data: hex,
    transactionHash: hex,
    blockHash: hex,
    blockNumber: hex,
    logIndex: hex,
  },
  { requiredKeys: [], noNullPrototype: true },
)
const answers = fc.oneof(
  fc.jsonValue(),
  hex,
  fc.array(log, { maxLength: 3 }),
  fc.record(
    { status: hex, logs: fc.array(log, { maxLength: 3 }), number: hex, timestamp: hex, hash: hex },
    { requiredKeys: [] },
  ),
)

/** Says something else each time, and in the end nothing. */
const babbling = (said: readonly unknown[]): Rpc => {
  const left = [...said]
  return async () => (left.length === 0 ? null : left.shift())
}

test('numbers and hashes of a node have one meaning, or are a strange answer', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (number) => {
      expect(readQuantity(writeQuantity(number), 'it')).toBe(number)
    }),
  )
  fc.assert(
    fc.property(answers, (value) => {
      for (const read of [readQuantity, readHash] as const) {
        try {
          expect(typeof value).toBe('string')
          read(value, 'it')
          expect(value).toMatch(/^0x[0-9a-fA-F]{1,64}$/)
        } catch (error) {
          if (typeof value === 'string') expect(error).toBeInstanceOf(RpcFailure)
        }
      }
    }),
  )
})

test('logs that cannot be read are an RpcFailure, and nothing else is thrown', async () => {
  const where = { from: 0n, to: 5n }
  await fc.assert(
    fc.asyncProperty(answers, async (said) => {
      for (const read of [
        () => readAllLogs(babbling([said]), { address: '0x12', topics: [] }, where, 100n),
        () => readTransactionLogs(babbling([said]), '0x12'),
      ]) {
        const outcome = await read().catch((error: unknown) => error)
        expect(Array.isArray(outcome) || outcome instanceof RpcFailure).toBe(true)
      }
    }),
  )
})

test('random answers of a node are never evidence of a payment', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answers, { maxLength: 6 }), async (said) => {
      const outcome = await readEvidence(babbling(said), sampleAuthorization(), 0n, 1).catch((error: unknown) => error)
      if (!(outcome instanceof RpcFailure)) expect((outcome as { kind: string }).kind).not.toBe('settled')
    }),
  )
})

const paid = sampleAuthorization()
const OTHER = `0x${'9'.repeat(40)}` as const
const HEAD = 20n
const place = {
  address: paid.asset,
  transactionHash: `0x${'7'.repeat(64)}`,
  blockHash: `0x${'8'.repeat(64)}`,
  blockNumber: writeQuantity(HEAD),
}
const used = { ...place, logIndex: '0x1', data: '0x', topics: [AUTHORIZATION_USED, pad(paid.from), paid.nonce] }
const moved = {
  ...place,
  logIndex: '0x2',
  data: numberToHex(paid.value, { size: 32 }),
  topics: [TRANSFER, pad(paid.from), pad(paid.to)],
}

/** A node that shows the payment in its newest block, with what a test wants to be different. */
const nodeThatShows = ({
  found = used,
  receipt = { status: '0x1', logs: [used, moved] as readonly unknown[] },
} = {}): Rpc => {
  const block = { number: writeQuantity(HEAD), hash: place.blockHash, timestamp: '0x64' }
  const said: Readonly<Record<string, unknown>> = {
    eth_getBlockByNumber: block,
    eth_call: numberToHex(1, { size: 32 }),
    eth_getLogs: [found],
    eth_getTransactionReceipt: receipt,
  }
  return async (method) => said[method]
}

const shown = (node: Rpc) => readEvidence(node, paid, 0n, 1).catch((error: unknown) => error)

test('a payment is evident where all that a node says of it fits together', async () => {
  expect(await shown(nodeThatShows())).toMatchObject({ kind: 'settled', confirmations: 1, logIndex: 2 })
})

const elsewhere = { blockHash: `0x${'6'.repeat(64)}` }

test.each<[string, Rpc]>([
  [
    'whose transaction is in another block by now',
    nodeThatShows({
      receipt: {
        status: '0x1',
        logs: [
          { ...used, ...elsewhere },
          { ...moved, ...elsewhere },
        ],
      },
    }),
  ],
  ['in a block beyond the head', nodeThatShows({ found: { ...used, blockNumber: writeQuantity(HEAD + 1n) } })],
  ['of another payer', nodeThatShows({ found: { ...used, topics: [AUTHORIZATION_USED, pad(OTHER), paid.nonce] } })],
  [
    'with another nonce',
    nodeThatShows({ found: { ...used, topics: [AUTHORIZATION_USED, pad(paid.from), pad('0x99')] } }),
  ],
  ['of another token', nodeThatShows({ found: { ...used, address: OTHER } })],
  ['whose transaction failed', nodeThatShows({ receipt: { status: '0x0', logs: [used, moved] } })],
])('a node that shows a payment %s has said nothing yet', async (_, node) => {
  expect(await shown(node)).toBeInstanceOf(RpcFailure)
})
