import { expect, test } from 'vitest'
import { documentOf, memoryOf } from './document.ts'
import { createKeptDocuments } from './kept-documents.ts'

/** Rows of which each is a document, with their versions. */
function shelf(options: { readonly mostBytes?: number; readonly prove?: boolean } = {}) {
  const rows = new Map<string, { version: number; text: string }>()
  const state = { now: 0, reads: 0, looks: 0 }
  const kept = createKeptDocuments({ now: () => state.now, mostMs: 1_000, ...options })
  const show = async (name: string) => {
    const document = await kept.show({
      name,
      fingerprint: async () => {
        state.looks++
        return rows.get(name)?.version.toString() ?? null
      },
      read: async () => {
        state.reads++
        const row = rows.get(name)
        return row === undefined ? null : { fingerprint: row.version.toString(), body: { text: row.text } }
      },
    })
    return document?.text ?? null
  }
  return { rows, state, show }
}

const showTwice = async (show: (name: string) => Promise<unknown>, name: string) => {
  await show(name)
  await show(name)
}

const said = (text: string) => documentOf({ text }).text

test('a document knows what it takes in memory, and how many bytes it is when it is sent', () => {
  const [plain, other] = [documentOf('short'), documentOf('kürzer')]
  expect([memoryOf(plain), plain.length]).toEqual([7, 7])
  expect([memoryOf(other), other.length]).toEqual([16, 9])
})

test('a document that is asked for again is kept, and from then on only revalidated', async () => {
  const { rows, state, show } = shelf()
  rows.set('a', { version: 1, text: 'ä' })
  for (let time = 0; time < 4; time++) expect(await show('a')).toBe(said('ä'))
  expect(state).toMatchObject({ reads: 2, looks: 2 })
})

test('a changed document is shown as it is now, and one that is gone is not shown', async () => {
  const { rows, state, show } = shelf()
  rows.set('a', { version: 1, text: 'before' })
  await showTwice(show, 'a')
  rows.set('a', { version: 2, text: 'after' })
  expect(await show('a')).toBe(said('after'))
  expect(state).toMatchObject({ reads: 3, looks: 1 })
  rows.delete('a')
  expect(await show('a')).toBeNull()
  expect(await show('b')).toBeNull()
})

test('a document is kept only as long as versions cannot repeat', async () => {
  const { rows, state, show } = shelf()
  rows.set('a', { version: 1, text: 'before' })
  await showTwice(show, 'a')
  rows.set('a', { version: 1, text: 'after' })
  state.now = 1_000
  expect(await show('a')).toBe(said('before'))
  state.now = 1_001
  expect(await show('a')).toBe(said('after'))
})

test('documents take no more room than they may: those that were asked for longest ago go first', async () => {
  const { rows, state, show } = shelf({ mostBytes: 8_000 })
  for (const name of ['a', 'b', 'c', 'd']) rows.set(name, { version: 1, text: 'x'.repeat(2_000) })
  for (const name of ['a', 'b', 'c']) await showTwice(show, name)
  await show('a')
  expect(state.reads).toBe(6)
  await showTwice(show, 'd')
  for (const name of ['a', 'c', 'd']) await show(name)
  expect(state.reads).toBe(8)
  await show('b')
  expect(state.reads).toBe(9)

  rows.set('a', { version: 2, text: 'x'.repeat(20_000) })
  expect(await show('a')).toBe(said('x'.repeat(20_000)))
  await show('a')
  expect(state.reads).toBe(11)
})

test('a change that the fingerprint does not show is found where cached documents are checked', async () => {
  const { rows, show } = shelf({ prove: true })
  rows.set('a', { version: 1, text: 'before' })
  await show('a')
  expect(await show('a')).toBe(said('before'))
  rows.set('a', { version: 1, text: 'after' })
  await expect(show('a')).rejects.toThrow('The document "a" has changed and its fingerprint has not.')
})
