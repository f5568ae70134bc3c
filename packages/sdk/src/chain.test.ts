import { entryHash, type LedgerEntry } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { checkpointAt, sampleLedger } from '../tests/support/sample-ledger.ts'
import { clientOf, type Step, scriptedService } from '../tests/support/scripted-service.ts'

const entries = sampleLedger(1_200)
const attested = [2, 1_000].map((size) => checkpointAt(entries.slice(0, size)))
const latestWith = (checkpoints: readonly object[]): Step => ({ body: { ...entries.at(-1), checkpoints } })
const latest = latestWith([...attested, checkpointAt(entries)])
const sealedMeanwhile = checkpointAt(sampleLedger(1_300))
const pageOf =
  (all: readonly LedgerEntry[], checkpoints: readonly object[] = [...attested, sealedMeanwhile]): Step =>
  ({ path }) => {
    const query = new URLSearchParams(path.split('?')[1])
    const shown = all.slice(Number(query.get('from')) - 1, Number(query.get('to')))
    return { body: { entries: shown, checkpoints } }
  }

test('a range of the ledger is read in order, in pages of the largest size', async () => {
  const service = await scriptedService(pageOf(entries), pageOf(entries))
  const read: number[] = []
  for await (const entry of clientOf(service).chain.range(100, 1_150)) read.push(entry.sequence)
  expect(read).toEqual(Array.from({ length: 1_051 }, (_, index) => index + 100))
  expect(service.seen.map(({ path }) => path)).toEqual([
    '/v1/chain?from=100&to=1099&limit=1000',
    '/v1/chain?from=1100&to=1150&limit=1000',
  ])
})

test('a ledger that holds is verified to its newest entry', async () => {
  const service = await scriptedService(latest, pageOf(entries), pageOf(entries))
  const { root_hash: rootHash } = checkpointAt(entries)
  const registryKey = entries[0]?.public_key
  const verdict = { verified: 1_200, attested: 1_200, registryKey, rootHash, fault: null }
  expect(await clientOf(service).chain.verify()).toEqual(verdict)
})

test('entries that no checkpoint covers yet are told apart', async () => {
  const page = pageOf(entries, attested)
  const service = await scriptedService(latestWith(attested), page, page)
  expect(await clientOf(service).chain.verify()).toMatchObject({ verified: 1_200, attested: 1_000, fault: null })
})

test('an entry that was changed afterwards is found', async () => {
  const changed = entries.map((entry) => (entry.sequence === 700 ? { ...entry, profile_hash: 'cd'.repeat(32) } : entry))
  const service = await scriptedService(latest, pageOf(changed))
  const verdict = await clientOf(service).chain.verify()
  expect(verdict).toMatchObject({ verified: 699, fault: { sequence: 700, reason: 'wrong_hash' } })
})

test.each([
  ['nowhere', [], 2],
  ['at sequence 2 only', attested.slice(0, 1), 1_002],
  ['at entry 1,000 only', attested.slice(1), 2],
])(
  'a ledger attested %s is not the registry’s: it attests sequence 2 and at least every 1,000 entries',
  async (_, shown, missing) => {
    const page = pageOf(entries, shown)
    const service = await scriptedService(latestWith(shown), page, page)
    const verdict = await clientOf(service).chain.verify()
    expect(verdict).toMatchObject({ verified: missing - 1, fault: { sequence: missing, reason: 'checkpoint_missing' } })
  },
)

test('a list that does not reach the newest entry, or shows another one there, does not hold', async () => {
  const newest = latestWith(attested)
  const short = pageOf(entries.slice(0, 1_150), attested)
  const held = await clientOf(await scriptedService(newest, short, short)).chain.verify()
  expect(held).toMatchObject({ verified: 1_150, fault: { sequence: 1_151, reason: 'entry_held_back' } })
  const other = { ...entries[1_199], timestamp: '2030-01-01T00:00:01.000Z' } as LedgerEntry
  const forked = pageOf(entries.with(1_199, { ...other, entry_hash: entryHash(other) }), attested)
  const { fault } = await clientOf(await scriptedService(newest, forked, forked)).chain.verify()
  expect(fault).toEqual({ sequence: 1_200, reason: 'newest_differs' })
})

test.each([
  ['no entry at all', { sequence: 0, checkpoints: [] }],
  ['a newest entry without a number', { checkpoints: [] }],
])('a service that shows %s shows no ledger that holds', async (_, newest) => {
  const service = await scriptedService({ body: newest }, pageOf([], []))
  const verdict = await clientOf(service).chain.verify()
  expect(verdict).toMatchObject({ verified: 0, fault: { sequence: 1, reason: 'entry_held_back' } })
})

test.each([
  ['checkpoints that are null', latestWith([null as never]), pageOf(entries)],
  ['no list of checkpoints', { body: entries.at(-1) }, pageOf(entries)],
  ['a page without entries', latest, { body: { checkpoints: [] } }],
  ['an entry that is null', latest, pageOf([null as never])],
  ['an entry without its fields', latest, pageOf([{} as never])],
  ['a page with a checkpoint that is null', latest, pageOf(entries, [null as never])],
] as const)('a service that shows %s does not answer like one', async (_, newest, page) => {
  const service = await scriptedService(newest, page)
  await expect(clientOf(service).chain.verify()).rejects.toMatchObject({ code: 'unexpected_answer' })
})

test('an entry without its fields is not an entry', async () => {
  const service = await scriptedService({ body: { ...entries[4], public_key: {} } })
  await expect(clientOf(service).chain.entry(5)).rejects.toMatchObject({ code: 'unexpected_answer' })
})

test('an entry of a type that only later services know is an entry like others', async () => {
  const later = { ...entries[4], entry_type: 'task_archived' }
  const service = await scriptedService({ body: later })
  expect(await clientOf(service).chain.entry(5)).toEqual(later)
})

test('a list that ends long before the newest entry is not asked for page after page', async () => {
  const newest: Step = { body: { ...entries.at(-1), sequence: 1_000_000_000, checkpoints: attested } }
  const page = pageOf(entries, attested)
  const service = await scriptedService(newest, page, page, page)
  const verdict = await clientOf(service).chain.verify()
  expect(verdict).toMatchObject({ verified: 1_200, fault: { sequence: 1_201, reason: 'entry_held_back' } })
  expect(service.seen.length).toBe(3)
})
