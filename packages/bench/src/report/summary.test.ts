import { describe, expect, test } from 'vitest'
import { names } from '../lines/names.ts'
import type { Round } from './measure-round.ts'
import { median, summarise } from './summary.ts'

const boards = { small: 10, large: 20 }
const cpu = { cpuMicroseconds: 3, postgresMicroseconds: 4 }
const round = (requestsPerSecond: number): Round => ({ requestsPerSecond, p50Ms: 1, p99Ms: 2, ...cpu })

describe('a summary', () => {
  test('shows the medians of a line', () => {
    const { lines } = summarise(new Map([[names.health, [round(10), round(1_000), round(30)]]]), boards)
    expect(lines).toMatchObject([{ name: names.health, requestsPerSecond: 30, p50Ms: 1, p99Ms: 2, ...cpu }])
  })

  test('takes a ratio within each round, where a busy machine slows both sides', () => {
    const measured = new Map([
      [names.select, [round(100), round(10), round(1_000)]],
      [names.taskById, [round(50), round(5), round(500)]],
    ])
    expect(summarise(measured, boards).ratios).toMatchObject([{ line: names.taskById, ratio: 0.5, atLeast: 0.6 }])
  })

  test('compares signed writes with the smaller of signature and transaction', () => {
    const measured = new Map([
      [names.verify, [round(100)]],
      [names.transaction, [round(40)]],
      [names.claim, [round(10)]],
    ])
    expect(summarise(measured, boards).ratios).toMatchObject([{ line: names.claim, ratio: 0.25 }])
  })

  test('leaves out a ratio of which one side was not measured', () => {
    expect(summarise(new Map([[names.claim, [round(10)]]]), boards).ratios).toEqual([])
  })
})

test('the median of an even number of values is the mean of the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
})
