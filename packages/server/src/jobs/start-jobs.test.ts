import { MINUTE } from '@guildhall/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../tests/support/store.ts'
import type { World } from '../ports/world.ts'
import { startJobs } from './start-jobs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['on an older copy of the database the jobs do nothing any more', false],
  ['on a database that the ledger trusts they look for work', true],
])('%s', async (_, isTrusted) => {
  const asked = vi.fn()
  const store = new Proxy({}, { get: (_target, name) => asked(name) })
  const ledger = { isTrusted: () => isTrusted, sealPending: asked, attestHead: asked }
  const world = { store, ledger, log: silentLog, clock: { now: () => 0 }, rules: { networks: [] } }
  const jobs = startJobs(world as unknown as World, () => true)
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  expect(asked.mock.calls.length > 0).toBe(isTrusted)
  await jobs.stop()
})
