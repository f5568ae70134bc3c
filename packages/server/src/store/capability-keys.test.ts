import { expect, test } from 'vitest'
import { sampleId, sampleTask } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import { capabilityKeys } from './capability-keys.ts'
import { ourMigrations } from './migration-files.ts'

const bench = storeBench()

/** Every character that `trim` takes away. */
const BLANKS = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter((c) => c.trim() === '')

test('a capability is known by its letters, whatever their case and the blanks around them', () => {
  expect(capabilityKeys(['  Sewing', 'sewing\t', '\u00a0SEWING\u3000', 'hand sewing'])).toEqual([
    'sewing',
    'hand sewing',
  ])
})

test('keys that were stored with blanks around them lose them, and no two of a task become one too many', async () => {
  const bent = BLANKS.map((blank, place) => `${blank}c${place}${blank}`)
  const bare = bent.map((key) => key.trim())
  const { id, task } = await bench.store.transaction(async (tx) => {
    const agent = await addAgent(tx)
    const written = sampleTask({
      id: sampleId('task'),
      creator: { kind: 'agent', id: agent.id },
      requiredCapabilities: ['c0', 'plain'],
    })
    await tx.insertTask(written)
    return { id: agent.id, task: written.id }
  })
  await bench.sql.query('update agents set capability_keys = $2 where id = $1', [id, bent])
  await bench.sql.query('update agent_search set capability_keys = $2, protocol_keys = $2 where agent_id = $1', [
    id,
    bent,
  ])
  await bench.sql.query(
    `insert into task_capabilities select task_id, key, status, category, bounty_amount, created_at
     from task_capabilities, unnest($2::text[]) key where task_id = $1 and capability = 'plain'`,
    [task, bent],
  )
  const migration = (await ourMigrations()).find(({ name }) => name.includes('keys-without-blanks-around'))
  await bench.sql.query(migration?.sql ?? '')
  const keysOf = async (text: string) =>
    (await bench.sql.query<{ keys: string[] }>(text, [id])).rows[0]?.keys.toSorted()
  expect(await keysOf('select capability_keys as keys from agents where id = $1')).toEqual(bare.toSorted())
  expect(await keysOf('select capability_keys as keys from agent_search where agent_id = $1')).toEqual(bare.toSorted())
  expect(await keysOf('select protocol_keys as keys from agent_search where agent_id = $1')).toEqual(bare.toSorted())
  const { rows } = await bench.sql.query<{ capability: string }>(
    'select capability from task_capabilities where task_id = $1',
    [task],
  )
  expect(rows.map(({ capability }) => capability).sort()).toEqual([...bare, 'plain'].sort())
})
