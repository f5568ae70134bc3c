import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ensureSandbox } from './ensure-sandbox.ts'

vi.mock('node:child_process', () => ({
  spawn: () => ({ stdout: new EventEmitter(), stderr: new EventEmitter(), exitCode: null, signalCode: null }),
}))

test('the demo waits for a sandbox for as long as a first start may take', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const ready = performance.now() + 4 * 60_000
  vi.stubGlobal('fetch', async () => {
    if (performance.now() < ready) throw new TypeError('fetch failed')
    return Response.json({ networks: [] })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const ensured = ensureSandbox('http://127.0.0.1:4999', { say: () => {}, progress: () => {} })
  ensured.catch(() => {})
  await vi.advanceTimersByTimeAsync(4 * 60_000 + 1_000)
  expect(await ensured).toMatchObject({ startedHere: true })
})
