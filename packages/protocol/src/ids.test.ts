import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isId, newId } from './ids.ts'

const randoms = fc.uint8Array({ minLength: 16, maxLength: 16 })
const times = fc.integer({ min: 0, max: 2 ** 48 - 1 })

test('an id is its prefix and 30 letters and digits', () => {
  fc.assert(
    fc.property(times, randoms, (now, random) => {
      const id = newId('task', now, random)
      return /^task_[0-9A-Za-z]{30}$/.test(id) && isId('task', id) && !isId('sub', id)
    }),
  )
  expect(newId('task', 0, new Uint8Array(16))).toBe(`task_${'0'.repeat(30)}`)
  expect(newId('task', 2 ** 48 - 1, new Uint8Array(16).fill(255))).toMatch(/^task_[0-9A-Za-z]{30}$/)
})

test('ids sort by their time', () => {
  fc.assert(
    fc.property(times, times, randoms, randoms, (a, b, one, two) => {
      fc.pre(a < b)
      return newId('evt', a, one) < newId('evt', b, two)
    }),
  )
})

test('all 128 random bits are in the id', () => {
  const ids = Array.from({ length: 128 }, (_, bit) =>
    newId('evt', 1, new Uint8Array(16).with(bit >> 3, 1 << (bit & 7))),
  )
  expect(new Set(ids).size).toBe(128)
})

test('other texts are no ids', () => {
  const bad = [
    '',
    'task_',
    `task_${'a'.repeat(19)}`,
    `task_${'a'.repeat(33)}`,
    `TASK_${'a'.repeat(30)}`,
    `task_${'a'.repeat(29)}-`,
  ]
  for (const text of [...bad, `task_${'a'.repeat(30)}\n`, 'a'.repeat(30)]) expect(isId('task', text), text).toBe(false)
})

test('an id is not made without enough randomness or with a time that does not fit', () => {
  expect(() => newId('task', 1, new Uint8Array(15))).toThrow(RangeError)
  for (const now of [-1, 0.5, 2 ** 48, Number.NaN])
    expect(() => newId('task', now, new Uint8Array(16))).toThrow(RangeError)
})
