import type fs from 'node:fs'
import { expect, test, vi } from 'vitest'
import { createLineWriter } from './line-writer.ts'

type Mood = 'taking' | 'busy' | 'full'

/** A file that takes a part of what it is given, nothing for the moment, or nothing at all. */
function aFile(moodAt: (call: number) => Mood) {
  let text = ''
  let calls = 0
  const take = (bytes: Buffer): number => {
    const mood = moodAt(calls++)
    if (mood !== 'taking') throw Object.assign(new Error(mood), { code: mood === 'busy' ? 'EAGAIN' : 'ENOSPC' })
    const part = bytes.subarray(0, Math.max(1, Math.ceil(bytes.length / (1 + (calls % 3)))))
    text += part.toString('latin1')
    return part.length
  }
  const system = {
    writeSync: (_: number, bytes: Buffer) => take(bytes),
    write(_: number, bytes: Buffer, done: (error: Error | null, written: number) => void) {
      setImmediate(() => {
        try {
          done(null, take(bytes))
        } catch (error) {
          done(error as Error, 0)
        }
      })
    },
  } as unknown as Pick<typeof fs, 'write' | 'writeSync'>
  return { system, lines: () => text.split('\n').slice(0, -1) }
}

test('every line is written once and in order, in batches and at once, however little is taken at a time', async () => {
  const { system, lines } = aFile((call) => (call % 5 === 0 ? 'busy' : 'taking'))
  const { write, writeNow } = createLineWriter(1, system)
  const given: string[] = []
  for (let nr = 0; nr < 3_000; nr++) {
    given.push(`line ${nr} ${'x'.repeat(nr % 50)}`)
    write(`${given.at(-1)}\n`)
    if (nr % 700 === 0) writeNow()
    if (nr % 400 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await vi.waitUntil(() => lines().length >= given.length, { timeout: 60_000 })
  expect(lines()).toEqual(given)
})

test('what could not be written is counted in the first line that can be', async () => {
  let mood: Mood = 'full'
  const { system, lines } = aFile(() => mood)
  const { write, writeNow } = createLineWriter(1, system)
  write('lost at once\n')
  writeNow()
  write('lost soon\n')
  write('lost as well\n')
  writeNow()
  mood = 'taking'
  write('kept\n')
  writeNow()
  const [told = '', ...rest] = lines()
  expect(JSON.parse(told)).toMatchObject({ level: 'warn', lines: 3 })
  expect(rest).toEqual(['kept'])
})

test('a reader that has stopped reading costs a bounded amount of memory', async () => {
  let mood: Mood = 'busy'
  const { system, lines } = aFile(() => mood)
  const { write, writeNow } = createLineWriter(1, system)
  const line = `${'x'.repeat(9_999)}\n`
  for (let nr = 0; nr < 1_000; nr++) write(line)
  mood = 'taking'
  await vi.waitUntil(() => lines().length > 1, { timeout: 20_000 })
  write('kept\n')
  writeNow()
  await vi.waitUntil(() => lines().at(-1) === 'kept', { timeout: 20_000 })
  const told = lines().flatMap((one) => (one.startsWith('{') ? [JSON.parse(one)] : []))
  expect(told).toMatchObject([{ level: 'warn', lines: expect.any(Number) }])
  expect(lines().length - 2 + told[0].lines).toBe(1_000)
  expect(told[0].lines).toBeGreaterThan(500)
})
