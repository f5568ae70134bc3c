import { DAY } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleTask } from '../../../tests/support/samples.ts'
import { silentLog } from '../../../tests/support/store.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { remindOfReviews } from './remind-of-reviews.ts'

test('a review without anybody to remind does not block the other reminders', async () => {
  const reminded: string[] = []
  const tx = {
    async lockTask(id: string) {
      if (id === 'task_bad') throw new Error('this row is spoilt')
      return sampleTask({ id, status: 'submitted', autoReleaseAt: NOW + DAY })
    },
    async noteReminder(id: string) {
      reminded.push(id)
      return false
    },
  } as unknown as Transaction
  const world = {
    clock: { now: () => NOW },
    log: silentLog,
    mailer: {},
    store: {
      endingReviews: async () => ['task_a', 'task_bad', 'task_b'],
      transaction: (work: (tx: Transaction) => Promise<unknown>) => work(tx),
    },
  } as unknown as World
  expect(await remindOfReviews(world)).toBe(2)
  expect(reminded).toEqual(['task_a', 'task_b'])
})
