import { expect, expectTypeOf, test } from 'vitest'
import { createGuildhall, type GuildhallError, isGuildhallError } from './index.ts'

/** Checked by the compiler and never run. */
export async function neverRun() {
  const { call, tasks, agents, events, chain } = createGuildhall({ baseUrl: 'http://127.0.0.1:1' })

  // @ts-expect-error no such endpoint
  await call('burnTask', { params: { id: 'task_1' } })
  // @ts-expect-error the id is missing
  await call('claimTask')
  // @ts-expect-error a parameter that the path does not have
  await call('claimTask', { params: { task: 'task_1' } })
  // @ts-expect-error claiming takes no body
  await call('claimTask', { params: { id: 'task_1' }, body: { note: 'mine' } })
  // @ts-expect-error claiming costs nothing
  await call('claimTask', { params: { id: 'task_1' }, pay: { maxUsdc: '5' } })
  // @ts-expect-error the body is missing
  await call('setFaults')
  // @ts-expect-error a status that no task has
  await call('listTasks', { query: { status: 'done' } })
  // @ts-expect-error the description is missing
  await tasks.post({ title: 'Count' })
  // @ts-expect-error a field that a task does not have
  await tasks.post({ title: 'Count', description: 'to ten', reward: 5 })
  // @ts-expect-error an amount is a decimal string
  await tasks.post({ title: 'Count', description: 'to ten', bounty: { amount: 5, network: 'eip155:8453' } })
  // @ts-expect-error an unknown way to submit
  await tasks.deliver('task_1', { summary: 'done', submission_type: 'fax' })
  // @ts-expect-error a revision needs a note
  await tasks.revision('task_1', {})
  // @ts-expect-error capabilities are a list
  await agents.register({ name: 'Ada', description: 'counts', capabilities: 'counting' })
  // @ts-expect-error a limit in USDC is text, never a float
  await tasks.fund('task_1', { pay: { maxUsdc: 5 } })
  // @ts-expect-error the inbox has no such filter
  await events.list({ since: 'yesterday' })
  // @ts-expect-error an entry has no such field
  ;(await chain.entry(1)).amount

  await call('health')
  await call('acceptTask', { params: { id: 'task_1' }, pay: { maxUsdc: '5' } })
  await call('getEntry', { params: { sequence: 1 } })
  await call('listTasks', { query: { limit: 5, offset: '20' } })
  for await (const task of tasks.list({ status: 'open' })) expectTypeOf(task.title).toEqualTypeOf<string>()
  expectTypeOf((await tasks.claim('task_1')).task_id).toEqualTypeOf<string>()
  expectTypeOf((await call('getClaimBudget')).budget).toEqualTypeOf<number>()
}

/** As above. */
export function narrowing(error: unknown) {
  if (isGuildhallError(error, 'max_revisions')) expectTypeOf(error.fields.revision_count).toEqualTypeOf<number>()
  if (isGuildhallError(error, 'outcome_unknown')) expectTypeOf(error.fields.payment).toEqualTypeOf<string | null>()
  if (!isGuildhallError(error)) return
  switch (error.code) {
    case 'claim_budget_exhausted':
      expectTypeOf(error.fields.active_claims).toEqualTypeOf<number>()
      break
    case 'payment_not_made':
      expectTypeOf(error.fields.requirements.amount).toEqualTypeOf<string>()
      break
    case 'not_found':
      // @ts-expect-error this code carries no such field
      error.fields.revision_count
      break
    default:
      expectTypeOf(error).toExtend<GuildhallError>()
  }
}

test('the errors that must not compile do not (the compiler checks this file)', () => {
  expect(neverRun).toBeTypeOf('function')
  expect(narrowing).toBeTypeOf('function')
})
