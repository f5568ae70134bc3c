import { TASK_STATUSES, type TaskStatus } from '@guildhall/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { NOW, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transaction } from '../ports/store.ts'
import type { TaskFilter } from '../ports/task-store.ts'

const bench = storeBench()
const everything: TaskFilter = {
  statuses: null,
  category: null,
  capability: null,
  creator: null,
  claimer: null,
  minAmount: null,
  limit: 100,
  offset: 0,
}
const onBoard = TASK_STATUSES.filter((status) => status !== 'cancelled' && status !== 'expired')
const WALLET = '0x00000000000000000000000000000000000000ab'

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T

/** Some of everything, with times that repeat, so that ids have to decide. */
function variedTask(nr: number, agents: readonly string[]): Task {
  const status: TaskStatus = pick(TASK_STATUSES, nr * 5 + (nr >> 3))
  const isTaken = !['open', 'cancelled', 'expired'].includes(status)
  const amount = pick([null, 100_000n, 5_000_000n, 900_000_000n], nr >> 1)
  return sampleTask({
    status,
    creator: nr % 7 === 0 ? { kind: 'wallet', id: WALLET } : { kind: 'agent', id: pick(agents, nr * 3) },
    claimedBy: isTaken ? pick(agents, nr) : null,
    category: pick(['code', 'data', null] as const, nr),
    requiredCapabilities: pick([[], ['Rust'], ['RUST', 'sql'], ['Größe']], nr >> 2),
    bounty: amount === null ? null : { amount, network: 'eip155:8453' },
    createdAt: NOW + (nr >> 2),
  })
}

const matches = (task: Task, filter: TaskFilter): boolean =>
  (filter.statuses?.includes(task.status) ?? true) &&
  (filter.category === null || task.category === filter.category) &&
  (filter.capability === null ||
    task.requiredCapabilities.some((asked) => asked.toLowerCase() === filter.capability?.toLowerCase())) &&
  (filter.creator === null || task.creator.id.toLowerCase() === filter.creator.toLowerCase()) &&
  (filter.claimer === null || task.claimedBy === filter.claimer) &&
  (filter.minAmount === null || (task.bounty !== null && task.bounty.amount >= filter.minAmount))

const newestFirst = (a: Task, b: Task): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)

describe('among tasks of every kind', () => {
  const tasks: Task[] = []
  let agents: readonly string[] = []
  const list = async (filter: Partial<TaskFilter>) =>
    (await bench.store.listTasks({ ...everything, ...filter })).tasks.map(({ task }) => task.id)
  const fingerprint = (filter: Partial<TaskFilter>) => bench.other.taskListFingerprint({ ...everything, ...filter })
  const expectSameFingerprint = async (filter: Partial<TaskFilter>) =>
    expect(await fingerprint(filter)).toBe((await bench.store.listTasks({ ...everything, ...filter })).fingerprint)
  const expected = (filter: Partial<TaskFilter>) => {
    const { limit, offset } = { ...everything, ...filter }
    const found = tasks.filter((task) => matches(task, { ...everything, ...filter })).sort(newestFirst)
    return found.slice(offset, offset + limit).map(({ id }) => id)
  }

  beforeAll(async () => {
    agents = await bench.store.transaction(async (tx) =>
      Promise.all(Array.from({ length: 4 }, async () => (await addAgent(tx)).id)),
    )
    await bench.store.transaction(async (tx) => {
      for (let nr = 0; nr < 400; nr++) {
        const task = variedTask(nr, agents)
        tasks.push(task)
        await tx.insertTask(task)
      }
    })
    await bench.store.transaction(async (tx) => {
      for (const [nr, task] of tasks.entries()) {
        const moved = { ...task, status: task.status === 'claimed' ? 'submitted' : 'claimed' } as const
        if (nr % 3 > 0 || !['claimed', 'submitted'].includes(task.status)) continue
        tasks[nr] = moved
        await tx.saveTask(moved)
      }
    })
  })

  test('every combination of filters finds what it should, newest first', async () => {
    const choices = {
      statuses: [null, onBoard, ['open'], ['claimed'], ['submitted', 'verified']],
      category: [null, 'code'],
      capability: [null, 'rUST', 'größe'],
      creator: [null, agents[1] ?? '', WALLET.toUpperCase().replace('0X', '0x')],
      claimer: [null, agents[2] ?? ''],
      minAmount: [null, 5_000_000n],
    } as const
    let found = 0
    for (const statuses of choices.statuses)
      for (const category of choices.category)
        for (const capability of choices.capability)
          for (const creator of choices.creator)
            for (const claimer of choices.claimer)
              for (const minAmount of choices.minAmount) {
                const filter = { statuses, category, capability, creator, claimer, minAmount }
                const ids = await list(filter)
                if (ids.length > 0) await expectSameFingerprint(filter)
                expect({ ...filter, ids }).toEqual({ ...filter, ids: expected(filter) })
                found += ids.length
              }
    expect(found).toBeGreaterThan(2_000)
  })

  test('pages follow each other without overlap, to the end', async () => {
    for (const filter of [{}, { statuses: onBoard }, { capability: 'rust' }]) {
      const pages = []
      for (let offset = 0; offset <= 420; offset += 70) pages.push(await list({ ...filter, limit: 70, offset }))
      expect(pages.flat()).toEqual(expected({ ...filter, limit: 1_000 }))
    }
    expect(await list({ offset: 1_000_000 })).toEqual([])
    expect(await list({ statuses: [] })).toEqual([])
  })

  test('the fingerprint of a page changes with every task on it and the name of its poster, and with nothing else', async () => {
    const page = { capability: 'shown', statuses: onBoard, limit: 2 }
    const pages = { ...page, limit: 20, offset: 90, capability: 'rust' }
    const poster = await bench.store.transaction((tx) => addAgent(tx))
    const task = sampleTask({ creator: { kind: 'agent', id: poster.id }, requiredCapabilities: ['shown'] })
    const other = sampleTask({ requiredCapabilities: ['unseen'] })
    const changes: readonly ((tx: Transaction) => Promise<unknown>)[] = [
      (tx) => tx.insertTask(task),
      (tx) => tx.saveTask({ ...task, reviewNote: 'Almost.' }),
      (tx) => tx.updateProfile(poster.id, { ...poster.profile, name: 'Renamed' }, 'renamed'),
      (tx) => tx.insertTask(sampleTask({ requiredCapabilities: ['shown'], createdAt: NOW + 1 })),
      (tx) => tx.saveTask({ ...task, status: 'cancelled' }),
    ]
    const seen = new Set([await fingerprint(page)])
    for (const change of changes) {
      await bench.store.transaction(change)
      await expectSameFingerprint(page)
      seen.add(await fingerprint(page))
    }
    expect(seen.size).toBe(1 + changes.length)
    const [before, deep] = [await fingerprint(page), await fingerprint(pages)]
    await bench.store.transaction((tx) => tx.insertTask(other))
    await bench.sql.query('update agents set last_seen_at = $1', [new Date(NOW)])
    expect([await fingerprint(page), await fingerprint(pages)]).toEqual([before, deep])
    await expectSameFingerprint(pages)
  })

  test('a task is listed with its poster’s name, and moves between listings with its status', async () => {
    const { tasks: listed } = await bench.store.listTasks({
      ...everything,
      statuses: ['open'],
      creator: agents[0] ?? '',
    })
    expect(listed[0]?.creatorName).toBe(`Agent ${agents[0]}`)
    const task = sampleTask({ requiredCapabilities: ['Moving'] })
    await bench.store.transaction((tx) => tx.insertTask(task))
    await bench.store.transaction((tx) => tx.saveTask({ ...task, status: 'cancelled' }))
    expect(await list({ capability: 'moving', statuses: onBoard })).toEqual([])
    expect(await list({ capability: 'moving', statuses: ['cancelled'] })).toEqual([task.id])
  })
})
