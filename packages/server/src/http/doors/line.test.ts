import { expect, test } from 'vitest'
import { createLine } from './line.ts'

function lineOf(...items: readonly string[]) {
  const line = createLine<string>()
  for (const item of items) line.add(item.charAt(0), item)
  return line
}

const rest = (line: ReturnType<typeof lineOf>): string[] =>
  Array.from({ length: line.length }, () => line.next() ?? 'none')

test('a line takes one of each caller in turn, and of one caller the first that came', () => {
  expect(rest(lineOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(lineOf().next()).toBeUndefined()
})

test('a caller who comes again while others wait has its turn after them', () => {
  const line = lineOf('a1', 'b1', 'c1')
  line.next()
  line.add('a', 'a2')
  expect(rest(line)).toEqual(['b1', 'c1', 'a2'])
})

test('the caller with the most yields its newest to one who has at least two fewer', () => {
  const line = lineOf('a1', 'a2', 'a3', 'b1')
  expect(line.yieldTo('a')).toBeUndefined()
  expect(line.yieldTo('b')).toBe('a3')
  expect(line.yieldTo('b')).toBeUndefined()
  expect(line.yieldTo('c')).toBe('a2')
  expect(line.yieldTo('c')).toBeUndefined()
  expect(rest(line)).toEqual(['a1', 'b1'])
})

test('items are taken from the front of every caller for as long as something holds', () => {
  const line = lineOf('a1', 'a2', 'b2', 'b1', 'c1')
  expect(line.takeWhile((item) => item.endsWith('1'))).toEqual(['a1', 'c1'])
  expect([line.length, ...rest(line)]).toEqual([3, 'a2', 'b2', 'b1'])
})
