import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../tests/support/store.ts'
import { startLoop } from './start-loop.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched(found: readonly number[] = []) {
  const left = [...found]
  const look = vi.fn(async () => left.shift() ?? 0)
  return { look, loop: startLoop(silentLog, 'trouble', 250, look) }
}

test('looks every so often, and at once for as long as there is something to do', async () => {
  const { look, loop } = watched([1, 1])
  await vi.advanceTimersByTimeAsync(0)
  expect(look).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(250)
  expect(look).toHaveBeenCalledTimes(4)
  await loop.stop()
})

test('a nudge is followed at once, many within a moment by one more look', async () => {
  const { look, loop } = watched()
  await vi.advanceTimersByTimeAsync(100)
  loop.nudge()
  await vi.advanceTimersByTimeAsync(0)
  expect(look).toHaveBeenCalledTimes(2)
  for (let ms = 0; ms < 50; ms++) {
    loop.nudge()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(look).toHaveBeenCalledTimes(3)
  await loop.stop()
})
