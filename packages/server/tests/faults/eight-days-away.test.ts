import { DAY, MINUTE } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { runOwnDue } from '../../src/actions/run-due.ts'
import { newAgent } from '../support/cast.ts'
import { collected } from '../support/collected.ts'
import { setStage } from '../support/stage.ts'
import { postFree } from '../support/tasks.ts'

/** Nothing happens by itself until the story says so. */
const stage = setStage({ nodes: 2, settings: { GUILDHALL_ROLE: 'api' } })
const TASKS = 301
/** Two nodes do eight each at once, of a batch of a hundred each. */
const LEEWAY = 216

/** The same task over and over, each a minute younger than the one before; written in no order. */
async function copy(taskId: string): Promise<void> {
  const { store } = stage.node().service.world
  const task = await store.task(taskId)
  if (!task) throw new Error('There is no task to copy.')
  const begun = stage.now() - 53 * DAY
  await store.transaction(async (tx) => {
    for (let place = 0; place < TASKS; place++) {
      const number = (place * 11) % TASKS
      const createdAt = begun + number * MINUTE
      const id = `task_${String(number).padStart(6, '0')}`
      await tx.insertTask({ ...task, id, createdAt, expiresAt: createdAt + 60 * DAY })
    }
  })
}

test('after eight days away what fell due is done once each, in the order in which it fell due', async () => {
  const poster = await newAgent(stage)
  await copy(await postFree(poster))
  await stage.moveClocks(8 * DAY)
  const [one, other] = [stage.node(0).service.world, stage.node(1).service.world]
  let left = 1
  while (left > 0) {
    const counts = await Promise.all([runOwnDue(one), runOwnDue(other)])
    left = Math.max(...counts)
  }
  const events = await collected(poster.client.events.iterate({ after: '0' }))
  const expired = events.filter(({ type }) => type === 'task.expired').map(({ ref_id }) => String(ref_id))
  expect(new Set(expired).size).toBe(TASKS)
  expect(expired.length).toBe(TASKS)
  for (const [place, id] of expired.entries()) {
    const due = Number(id.slice('task_'.length))
    expect(Math.abs(due - place)).toBeLessThan(LEEWAY)
  }
})
