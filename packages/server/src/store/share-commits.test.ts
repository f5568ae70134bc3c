import { afterEach, expect, test } from 'vitest'
import { NOW, sampleId, sampleTask } from '../../tests/support/samples.ts'
import { gate, killThoseInTransactions, silentLog, storeBench } from '../../tests/support/store.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { StoreUnavailableError } from '../domain/store-unavailable.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transaction } from '../ports/store.ts'
import { createPostgresStore } from './postgres-store.ts'

const bench = storeBench()

/** A node of its own for each test: after a failure a node shares nothing for a while. */
const nodes: ReturnType<typeof createPostgresStore>[] = []
function newNode(whenHere = (begin: () => void): void => begin()) {
  const node = createPostgresStore({ databaseUrl: bench.url, log: silentLog, whenHere })
  nodes.push(node)
  return node
}
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

type Node = ReturnType<typeof newNode>

const add = (tx: Transaction, task: Task): Promise<void> => tx.postTask(task, NOW, () => sampleId('evt'))
const post = (node: Node, task: Task): Promise<void> => node.sharedTransaction([], (tx) => add(tx, task))
const samples = (count: number): readonly Task[] => Array.from({ length: count }, () => sampleTask())

/** Everything that `issue` asks for waits until as many transactions as run at once have ended. */
async function atOnce<T>(node: Node, issue: () => readonly Promise<T>[]): Promise<readonly PromiseSettledResult<T>[]> {
  const end = gate()
  const hold = () => node.sharedTransaction([], () => end.opened)
  const first = hold()
  await nextTurn()
  const second = Array.from({ length: BESIDE }, hold)
  await nextTurn()
  const issued = Promise.allSettled(issue())
  end.open()
  await Promise.all([first, ...second])
  return issued
}

/** As many changes begin a transaction beside one that is running. */
const BESIDE = 16

const nextTurn = () => new Promise(setImmediate)

/** How many of these tasks each transaction has written. */
async function sharesOf(tasks: readonly Task[]): Promise<readonly number[]> {
  const { rows } = await bench.sql.query<{ tasks: number }>(
    'select count(*)::int as tasks from tasks where id = any($1) group by xmin order by tasks desc',
    [tasks.map(({ id }) => id)],
  )
  return rows.map((row) => row.tasks)
}

test('changes that come while others are committed are committed together, up to sixteen of them', async () => {
  const [node, tasks] = [newNode(), samples(19)]
  const outcomes = await atOnce(node, () => tasks.map((task) => post(node, task)))
  expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
  expect(await sharesOf(tasks)).toEqual([16, 3])
})

test('beside a transaction that is running another is begun as soon as sixteen changes wait for it', async () => {
  const [node, tasks, end] = [newNode(), samples(BESIDE), gate()]
  const first = node.sharedTransaction([], () => end.opened)
  await nextTurn()
  await Promise.all(tasks.map((task) => post(node, task)))
  expect(await sharesOf(tasks)).toEqual([BESIDE])
  end.open()
  await first
})

test('changes that come in the same turn are committed together, though nothing is running', async () => {
  const [node, tasks] = [newNode(), samples(5)]
  await Promise.all(tasks.map((task) => post(node, task)))
  expect(await sharesOf(tasks)).toEqual([5])
})

test('a change that comes alone is committed at once', async () => {
  const [node, task] = [newNode(), sampleTask()]
  await post(node, task)
  expect(await sharesOf([task])).toEqual([1])
})

test('with nothing running a change waits for those that are on their way', async () => {
  const [early, late, here] = [samples(2), samples(3), gate()]
  const node = newNode((begin) => void here.opened.then(begin))
  const changes = early.map((task) => post(node, task))
  await nextTurn()
  changes.push(...late.map((task) => post(node, task)))
  here.open()
  await Promise.all(changes)
  expect(await sharesOf([...early, ...late])).toEqual([5])
})

test('sixteen changes do not wait for those that are on their way', async () => {
  const [tasks, here] = [samples(18), gate()]
  const node = newNode((begin) => void here.opened.then(begin))
  const [one, ...changes] = tasks.map((task) => post(node, task))
  await Promise.all([one, ...changes.slice(0, 15)])
  expect(await sharesOf(tasks)).toEqual([16])
  here.open()
  await Promise.all(changes)
  expect(await sharesOf(tasks)).toEqual([16, 2])
})

test('two changes of one subject never share a transaction: none overwrites the other', async () => {
  const [node, task] = [newNode(), sampleTask({ receiptsCount: 0 })]
  const others = samples(3)
  await node.transaction((tx) => tx.insertTask(task))
  const countOne = (tx: Transaction) =>
    tx.lockTask(task.id).then((found) => tx.saveTask({ ...task, receiptsCount: (found?.receiptsCount ?? 0) + 1 }))
  await atOnce(node, () => [
    ...Array.from({ length: 3 }, () => node.sharedTransaction([task.id], countOne)),
    ...others.map((other) => post(node, other)),
  ])
  expect(await node.task(task.id)).toMatchObject({ receiptsCount: 3 })
  expect(await sharesOf(others)).toEqual([3])
})

test('a change that is refused is not written; those beside it are', async () => {
  const [node, tasks, refused] = [newNode(), samples(4), sampleTask()]
  const [refusal, ...others] = await atOnce(node, () => [
    node.sharedTransaction([], async (tx) => {
      await add(tx, refused)
      refuse('conflict', { status: 'claimed' })
    }),
    ...tasks.map((task) => post(node, task)),
  ])
  expect(refusal).toMatchObject({ status: 'rejected', reason: expect.any(Refusal) })
  expect(others.every(({ status }) => status === 'fulfilled')).toBe(true)
  expect(await node.task(refused.id)).toBeNull()
  expect(await sharesOf(tasks)).toEqual([1, 1, 1, 1])
})

test('a change that is refused beside no other is not run again', async () => {
  const node = newNode()
  let runs = 0
  const refused = node.sharedTransaction([], async () => {
    runs++
    refuse('conflict', { status: 'claimed' })
  })
  await expect(refused).rejects.toThrow(Refusal)
  expect(runs).toBe(1)
})

const unshareable: Readonly<Record<string, (tx: Transaction, task: Task) => Promise<unknown>>> = {
  'what is not listed as shareable': (tx) => tx.lockReputations(['nobody']),
  'the lock of a task that it has not declared': (tx, task) => tx.lockTask(task.id),
  'writing to a task that it has not declared': (tx, task) => tx.saveTask({ ...task, receiptsCount: 7 }),
}

test.each(Object.keys(unshareable))('a change that needs %s has a transaction of its own', async (need) => {
  const [node, tasks, mine, locked] = [newNode(), samples(3), sampleTask(), sampleTask()]
  await node.transaction((tx) => tx.insertTask(locked))
  const outcomes = await atOnce(node, () => [
    node.sharedTransaction([], async (tx) => {
      await add(tx, mine)
      await unshareable[need]?.(tx, locked)
    }),
    ...tasks.map((task) => post(node, task)),
  ])
  expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
  expect(await sharesOf([mine, ...tasks])).toEqual([1, 1, 1, 1])
})

test('a lock that is held elsewhere keeps only the change waiting that needs it', async () => {
  const [node, tasks, wanted] = [newNode(), samples(3), sampleTask()]
  await node.transaction((tx) => tx.insertTask(wanted))
  const [held, release] = [gate(), gate()]
  const holder = bench.other.transaction(async (tx) => {
    await tx.lockTask(wanted.id)
    held.open()
    await release.opened
  })
  await held.opened
  let waiting: Promise<Task | null> = Promise.resolve(null)
  await atOnce(node, () => {
    waiting = node.sharedTransaction([wanted.id], (tx) => tx.lockTask(wanted.id))
    return tasks.map((task) => post(node, task))
  })
  expect(await sharesOf(tasks)).toEqual([1, 1, 1])
  release.open()
  await holder
  expect(await waiting).toMatchObject({ id: wanted.id })
})

test('a connection lost before the commit is answered: each is told that its change may have been written', async () => {
  const [node, mine, other] = [newNode(), sampleTask(), sampleTask()]
  const outcomes = await atOnce(node, () => [
    node.sharedTransaction([mine.id], async (tx) => {
      await add(tx, mine)
      await tx.lockTask(mine.id)
      await killThoseInTransactions(bench)
    }),
    post(node, other),
  ])
  const told = { status: 'rejected', reason: { name: StoreUnavailableError.name, maybeWritten: true } }
  expect(outcomes).toMatchObject([told, told])
  expect(await sharesOf([mine, other])).toEqual([])
})

test('a connection lost before the commit: nothing is written, each is told, and who waits behind is not', async () => {
  const [node, mine, other, behind] = [newNode(), sampleTask(), sampleTask(), sampleTask()]
  const [lost, beside, later] = await atOnce(node, () => [
    node.sharedTransaction([mine.id], async (tx) => {
      await add(tx, mine)
      await tx.lockTask(mine.id)
      await killThoseInTransactions(bench)
      await tx.lockTask(mine.id)
    }),
    post(node, other),
    node.sharedTransaction([mine.id], (tx) => add(tx, behind)),
  ])
  const told = { status: 'rejected', reason: { name: StoreUnavailableError.name, maybeWritten: false } }
  expect([lost, beside]).toMatchObject([told, told])
  expect(later).toMatchObject({ status: 'fulfilled' })
  expect(await sharesOf([mine, other, behind])).toEqual([1])
})

test('after a refusal that held up others the next 32 changes run alone, and then they share again', async () => {
  const [node, early, later] = [newNode(), samples(32), samples(5)]
  await atOnce(node, () => [
    node.sharedTransaction([], async () => refuse('conflict', { status: 'claimed' })),
    post(node, sampleTask()),
  ])
  await Promise.all(early.map((task) => post(node, task)))
  expect(await sharesOf(early)).toEqual(early.map(() => 1))
  await atOnce(node, () => later.map((task) => post(node, task)))
  expect(await sharesOf(later)).toEqual([5])
})
