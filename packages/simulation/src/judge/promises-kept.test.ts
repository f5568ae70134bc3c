import { expect, test } from 'vitest'
import type { Told } from '../people/history.ts'
import type { Stage } from '../people/stage.ts'
import { promisesKept } from './promises-kept.ts'

const task = {
  id: 'task_1',
  status: 'claimed',
  creator: { kind: 'agent', id: 'ag_1' },
  requiredCapabilities: [],
  revisionCount: 1,
  acceptedBy: null,
  proposerSignature: null,
}

const told = (verb: string, signature: string, value: unknown = null) =>
  ({ request: { verb, taskId: 'task_1', signature }, answer: { kind: 'ok', value }, at: 0 }) as Told

function broken(history: readonly Told[]) {
  const tables = {
    tasks: new Map([[task.id, task]]),
    transfers: new Map([['tr_1', { id: 'tr_1' }]]),
    events: new Map([['ag_2 1', { refId: task.id, type: 'task.disputed' }]]),
    agents: new Map(),
    receipts: new Map(),
  }
  return [...promisesKept({ day: { database: { tables } }, history } as unknown as Stage)]
}

test('what was acknowledged is on record: bonds and withdrawals, and each revision and dispute', () => {
  const kept = [told('bond', 'a', { id: 'tr_1' }), told('revision', 'b'), told('dispute', 'c')]
  expect(broken(kept)).toEqual([])
  expect(broken([told('withdraw', 'a', { id: 'bwd_2' })])).toEqual([
    'withdraw was acknowledged with bwd_2, which does not exist',
  ])
  expect(broken([...kept, told('revision', 'd')])).toEqual([
    'a revision of task_1 was acknowledged 2 times and happened 1 times',
  ])
  expect(broken([...kept, told('dispute', 'd')])).toHaveLength(1)
})
