import { expect, test } from 'vitest'
import { createStoppedTimer } from '../../tests/support/stopped-timer.ts'
import { gate } from '../../tests/support/store.ts'
import { createArrivals } from './arrivals.ts'

const nextTurn = () => new Promise(setImmediate)

/** Whether what waits for the arrivals of now has begun. */
function waitFor(arrivals: ReturnType<typeof createArrivals>): () => boolean {
  let hasBegun = false
  arrivals.whenHere(() => {
    hasBegun = true
  })
  return () => hasBegun
}

test('with nobody on their way there is nothing to wait for', () => {
  expect(waitFor(createArrivals(createStoppedTimer()))()).toBe(true)
})

test('those are waited for that are on their way, and none that set out later', async () => {
  const [arrivals, first, second, later] = [createArrivals(createStoppedTimer()), gate(), gate(), gate()]
  const arriving = [first, second].map(({ opened }) => arrivals.follow(opened))
  const hasBegun = waitFor(arrivals)
  const late = arrivals.follow(later.opened)
  first.open()
  await nextTurn()
  expect(hasBegun()).toBe(false)
  second.open()
  await Promise.all(arriving)
  expect(hasBegun()).toBe(false)
  await nextTurn()
  await nextTurn()
  expect(hasBegun()).toBe(true)
  later.open()
  await late
})

test('who does not arrive is not waited for any longer', async () => {
  const arrivals = createArrivals(createStoppedTimer())
  const arriving = arrivals.follow(nextTurn().then(() => Promise.reject(new Error('turned back'))))
  const hasBegun = waitFor(arrivals)
  await expect(arriving).rejects.toThrow('turned back')
  await nextTurn()
  await nextTurn()
  expect([hasBegun(), waitFor(arrivals)()]).toEqual([true, true])
})

test('who takes longer than ten milliseconds is not waited for, nor again by the next', async () => {
  const [timer, never] = [createStoppedTimer(), gate()]
  const arrivals = createArrivals(timer)
  void arrivals.follow(never.opened)
  const hasBegun = waitFor(arrivals)
  timer.pass(9)
  await nextTurn()
  await nextTurn()
  expect(hasBegun()).toBe(false)
  timer.pass(1)
  await nextTurn()
  await nextTurn()
  expect(hasBegun()).toBe(true)
  expect(waitFor(arrivals)()).toBe(true)
})
