import { expect, test } from 'vitest'
import { believedFor } from './believed-for.ts'

function asked() {
  const state = { now: 0, yes: true, times: 0 }
  const ask = async () => {
    state.times++
    return state.yes
  }
  return { state, isSo: believedFor(100, ask, () => state.now) }
}

test('a yes is believed for a moment, not longer', async () => {
  const { state, isSo } = asked()
  expect(await isSo()).toBe(true)
  state.yes = false
  state.now = 99
  expect(await isSo()).toBe(true)
  state.now = 100
  expect(await isSo()).toBe(false)
})

test('a no is asked again, at once', async () => {
  const { state, isSo } = asked()
  state.yes = false
  expect(await isSo()).toBe(false)
  state.yes = true
  expect(await isSo()).toBe(true)
})

test('an answer other than yes and no is believed as well', async () => {
  let now = 0
  let height = 7n
  const heightOf = believedFor(
    100,
    async () => height,
    () => now,
  )
  expect(await heightOf()).toBe(7n)
  height = 8n
  expect(await heightOf()).toBe(7n)
  now = 100
  expect(await heightOf()).toBe(8n)
})

test('a question that failed is asked again, at once', async () => {
  let isDown = true
  const ask = async () => {
    if (isDown) throw new Error('down')
    return true
  }
  const isSo = believedFor(100, ask, () => 0)
  await expect(isSo()).rejects.toThrow('down')
  isDown = false
  expect(await isSo()).toBe(true)
})

test('many who ask at the same time are one question', async () => {
  const { state, isSo } = asked()
  expect(await Promise.all([isSo(), isSo(), isSo()])).toEqual([true, true, true])
  expect(state.times).toBe(1)
})
