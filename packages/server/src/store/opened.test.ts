import { expect, test } from 'vitest'
import type { Connection } from './connection.ts'
import { opened } from './opened.ts'

test('a family is made once for each connection, when it is first asked', async () => {
  const made: string[] = []
  const counting = (connection: Connection) => {
    let asked = 0
    made.push('counting')
    return {
      ask: async () => [++asked, await connection.change('')],
      again: async () => ++asked,
    }
  }
  const idle = () => {
    made.push('idle')
    return { rest: () => 'resting' }
  }
  const open = opened([counting, idle])
  made.length = 0
  const changing = (count: number) => ({ change: async () => count }) as unknown as Connection
  const [first, second] = [open(changing(7)), open(changing(8))]
  expect(made).toEqual([])
  expect([await first.ask(), await first.again(), await second.ask()]).toEqual([[1, 7], 2, [1, 8]])
  expect(made).toEqual(['counting', 'counting'])
  expect(second.rest()).toBe('resting')
})
