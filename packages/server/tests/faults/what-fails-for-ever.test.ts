import { DAY, MINUTE } from '@guildhall/protocol'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBuyer, newWorker } from '../support/cast.ts'
import { usdcOf } from '../support/chain-calls.ts'
import { setStage } from '../support/stage.ts'
import { aBounty, deliveredTask, postEscrowed, postFree } from '../support/tasks.ts'
import { pauseMs, until } from '../support/until.ts'

/** The jobs run here as they do in production. */
const stage = setStage()
let sql: Client
beforeAll(async () => {
  sql = new Client({ connectionString: stage.databaseUrl })
  await sql.connect()
})
afterAll(() => sql.end())

const task = async (id: string) => (await stage.client().tasks.get(id)).task

/** From now on no change to this row goes through; the tries are counted where no rollback reaches. */
async function spoil(table: 'tasks' | 'transfers', column: string, id: string) {
  const name = `spoilt_${table}`
  await sql.query(`
    create sequence ${name};
    create function ${name}() returns trigger language plpgsql as $$
    begin
      perform nextval('${name}');
      raise exception 'this row is spoilt';
    end $$;
    create trigger ${name} before update on ${table} for each row when (old.${column} = '${id}') execute function ${name}()`)
  return {
    tries: async () => Number((await sql.query(`select last_value, is_called from ${name}`)).rows[0].last_value),
    heal: () => sql.query(`drop trigger ${name} on ${table}; drop function ${name}; drop sequence ${name}`),
  }
}

test('a timer that fails again and again does not hold up the others, and is not tried without a pause', async () => {
  const poster = await newBuyer(stage)
  const [first, ...others] = [await postFree(poster), await postFree(poster), await postFree(poster)]
  const spoilt = await spoil('tasks', 'id', first ?? '')
  await stage.moveClocks(61 * DAY)
  await until(
    () => Promise.all(others.map(task)),
    (tasks) => tasks.every(({ status }) => status === 'expired'),
  )
  const before = await spoilt.tries()
  await pauseMs(2_000)
  // Each look makes two attempts, to fire it and to put it off.
  expect((await spoilt.tries()) - before).toBeLessThan(25)
  expect(await task(first ?? '')).toMatchObject({ status: 'open' })
  await spoilt.heal()
  await stage.moveClocks(2 * MINUTE)
  await until(
    () => task(first ?? ''),
    ({ status }) => status === 'expired',
  )
  const told = await poster.client.events.list({ type: 'task.expired', limit: 100 })
  expect(told.events.map(({ ref_id }) => ref_id).toSorted()).toEqual([first, ...others].toSorted())
})

test('a payout whose record cannot be written keeps no other payout waiting, and leaves once when it can', async () => {
  const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
  const bounty = aBounty(1)
  const one = await deliveredTask(buyer, worker, { bounty })
  const two = await deliveredTask(buyer, worker, { bounty })
  await stage.client().sandbox.setFaults({ facilitator: 'down' })
  await buyer.client.tasks.accept(one)
  await buyer.client.tasks.accept(two)
  const { rows } = await sql.query(`select id from transfers where task_id = $1 and purpose = 'release'`, [one])
  const spoilt = await spoil('transfers', 'id', rows[0].id)
  await stage.client().sandbox.setFaults({ facilitator: 'ok' })
  await stage.moveClocks(3 * MINUTE)
  await until(
    () => task(two),
    ({ payment_status }) => payment_status === 'settled',
  )
  const before = await spoilt.tries()
  await pauseMs(2_000)
  expect((await spoilt.tries()) - before).toBeLessThan(25)
  await spoilt.heal()
  await stage.moveClocks(3 * MINUTE)
  await until(
    () => task(one),
    ({ payment_status }) => payment_status === 'settled',
  )
  expect(await usdcOf(stage.chain(), worker.wallet.address)).toBe(2_000_000n)
  expect((await postEscrowed(buyer, { bounty })).length).toBeGreaterThan(0)
})
