import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NOW, sampleId, sampleReceipt, sampleSubmission, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Agent } from '../domain/agent/agent.ts'
import type { Submission } from '../domain/delivery/delivery.ts'
import type { Task } from '../domain/task/task.ts'
import type { Transaction } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { inColumns, type RowStatement, rowsFrom } from './row-statement.ts'
import { runShared, runTransaction } from './run-transaction.ts'

const bench = storeBench()
let pool: Pool
beforeAll(async () => {
  pool = new Pool({ connectionString: bench.url, pipeline: true })
  await bench.sql.query('create table jots (text text not null unique)')
})
afterAll(() => pool.end())

const jot: RowStatement = {
  one: 'insert into jots (text) values ($1)',
  many: `insert into jots (text) select text from ${rowsFrom({ text: 'text' })}`,
  pack: inColumns,
}
const keyedJot: RowStatement = { ...jot, key: ([text]) => text }

/** What was jotted down; forgets it. */
async function jotted(): Promise<readonly string[]> {
  const { rows } = await bench.sql.query<{ text: string }>('delete from jots returning text')
  return rows.map(({ text }) => text).sort()
}

/** How many statements reached PostgreSQL while `work` ran. */
async function statementsOf(work: (connection: Connection) => Promise<unknown>): Promise<number> {
  const counting = `create or replace function count_jots() returns trigger language plpgsql as $$
    begin perform nextval('jot_statements'); return null; end $$`
  await bench.sql.query(`drop trigger if exists counted on jots; drop sequence if exists jot_statements;
    create sequence jot_statements; ${counting};
    create trigger counted after insert on jots for each statement execute function count_jots()`)
  await runTransaction(pool, work)
  const { rows } = await bench.sql.query<{ n: string; called: boolean }>(
    'select last_value as n, is_called as called from jot_statements',
  )
  return rows[0]?.called ? Number(rows[0].n) : 0
}

test('rows for the same statement that wait together go in one statement', async () => {
  const count = await statementsOf(async (connection) => {
    for (const text of ['a', 'b', 'c']) await connection.writeRow(jot, [text])
  })
  expect(await jotted()).toEqual(['a', 'b', 'c'])
  expect(count).toBe(1)
})

test('a row never goes before what was issued earlier', async () => {
  const count = await statementsOf(async (connection) => {
    await connection.writeRow(jot, ['a'])
    await connection.write('delete from jots')
    await connection.writeRow(jot, ['a'])
    await connection.writeRow(jot, ['b'])
  })
  expect(await jotted()).toEqual(['a', 'b'])
  expect(count).toBe(2)
})

test('rows that must not meet go in statements of their own', async () => {
  const twice = statementsOf(async (connection) => {
    for (const text of ['a', 'b', 'a']) await connection.writeRow(keyedJot, [text])
  })
  await expect(twice).rejects.toThrow('jots_text_key')
  const count = await statementsOf(async (connection) => {
    for (const text of ['a', 'b']) await connection.writeRow(keyedJot, [text])
    await connection.write('delete from jots')
    for (const text of ['b', 'a']) await connection.writeRow(keyedJot, [text])
  })
  expect(await jotted()).toEqual(['a', 'b'])
  expect(count).toBe(2)
})

test('those who share a transaction each keep their own order, and their rows go together', async () => {
  const marks = (connection: Connection, name: string) => async () => {
    await connection.writeRow(jot, [name])
    const [found] = await connection.rows<{ n: number }>('select count(*)::int as n from jots where text = $1', [name])
    await connection.write('update jots set text = text || $2 where text = $1', [name, `${found?.n}`])
    await connection.writeRow(jot, [name])
  }
  await runShared(pool, (open) => Promise.all(['a', 'b', 'c'].map((name) => marks(open(), name)())))
  expect(await jotted()).toEqual(['a', 'a1', 'b', 'b1', 'c', 'c1'])
})

test('a statement that fails for one row fails for all who share the transaction', async () => {
  await bench.sql.query(`insert into jots (text) values ('taken')`)
  const shared = runShared(pool, (open) => Promise.all(['a', 'taken'].map((text) => open().askRow({ ...jot }, [text]))))
  await expect(shared).rejects.toThrow('jots_text_key')
  expect(await jotted()).toEqual(['taken'])
})

const AWKWARD: readonly Partial<Submission>[] = [
  { summary: 'plain', artifactUrls: null },
  { summary: '"quoted", {braced} \\ and \\u0041', content: '{"a":[1,null,"\\\\"]}' },
  { summary: 'über 🧮\nin two lines\t.', artifactUrls: ['https://example.org/?a=1,2', 'https://example.org/"x"'] },
  { summary: 'null', content: 'null', artifactUrls: [] },
  { summary: ' \u2028 ', content: null, commitHash: 'ab'.repeat(20), prUrl: 'https://example.org/pr/1' },
]

async function deliver(tx: Transaction, task: Task, submission: Submission, poster: Agent): Promise<void> {
  await tx.lockTask(task.id)
  await tx.insertSubmission(submission)
  await tx.insertReceipt(sampleReceipt(submission))
  await tx.countForAgent(submission.agentId, { delivered: 1 })
  await tx.saveTask({ ...task, status: 'submitted', submittedAt: NOW, autoReleaseAt: NOW + 1, receiptsCount: 1 })
  const told = {
    type: 'task.delivered',
    refKind: 'task',
    refId: task.id,
    actorId: submission.agentId,
    payload: { nr: task.id },
  } as const
  await tx.addEvents(
    [
      { ...told, agentId: poster.id },
      { ...told, agentId: submission.agentId },
    ],
    NOW,
    () => sampleId('evt'),
  )
}

test('what is written together is what each would have written alone', async () => {
  const { store, sql } = bench
  const [poster, worker] = await store.transaction(async (tx) => [await addAgent(tx), await addAgent(tx)] as const)
  const tasks = AWKWARD.map((_, nr) =>
    sampleTask({ status: 'claimed', claimedBy: worker.id, requiredCapabilities: nr === 0 ? [] : ['A', `b "${nr}"`] }),
  )
  await Promise.all(
    tasks.map((task) => store.sharedTransaction([task.id], (tx) => tx.postTask(task, NOW, () => sampleId('evt')))),
  )
  for (const task of tasks) expect(await store.task(task.id)).toEqual({ ...task, announced: true })

  const submissions = tasks.map((task, nr) => sampleSubmission(task, worker, AWKWARD[nr]))
  await Promise.all(
    tasks.map((task, nr) =>
      store.sharedTransaction([task.id], (tx) =>
        deliver(tx, { ...task, announced: true }, submissions[nr] as Submission, poster),
      ),
    ),
  )
  const { rows } = await sql.query('select count(distinct xmin::text)::int as transactions from submissions')
  expect(rows[0].transactions).toBeLessThan(tasks.length)
  for (const [nr, task] of tasks.entries()) {
    expect(await store.submissions(task.id)).toEqual([submissions[nr]])
    expect(await store.task(task.id)).toMatchObject({ status: 'submitted', submittedAt: NOW, receiptsCount: 1 })
  }
  const { rows: capable } = await sql.query('select task_id, capability, status from task_capabilities order by 1, 2')
  expect(capable).toEqual(
    tasks
      .slice(1)
      .flatMap(({ id }, nr) =>
        ['a', `b "${nr + 1}"`].map((capability) => ({ task_id: id, capability, status: 'claimed' })),
      ),
  )
  expect(await store.agent(worker.id)).toMatchObject({ track: { delivered: tasks.length } })
  expect((await store.statusCounts()).tasks).toMatchObject({ open: 0, claimed: 0, submitted: tasks.length })
  for (const { id } of [poster, worker]) {
    const inbox = await store.inbox({ agentId: id, after: 0, type: null, unreadOnly: false, limit: 100 })
    expect(inbox.events.map(({ position }) => position)).toEqual(tasks.map((_, nr) => nr + 1))
    expect(inbox.events.map(({ refId }) => refId).sort()).toEqual(tasks.map((task) => task.id).sort())
    expect(inbox).toMatchObject({ lastPosition: tasks.length, unread: tasks.length })
  }
})
