import { expect, test } from 'vitest'
import { sampleAuthorization, sampleTask, sampleTransfer } from '../../../tests/support/samples.ts'
import { ofDispute, ofTransfer } from './inbox-item.ts'

const authorization = sampleAuthorization()
const { network, from, nonce } = authorization

test.each([
  ['deposit', 'task_1', 'intended', 'curl …/v1/tasks/task_1/payment'],
  ['release', 'task_1', 'intended', 'guildhall payouts status'],
  ['release', 'task_1', 'superseded', 'curl …/v1/tasks/task_1/payment'],
  ['bond', null, 'intended', `curl …/v1/payments/${network}/${from}/${nonce}`],
  ['withdrawal', null, 'superseded', `curl …/v1/payments/${network}/${from}/${nonce}`],
] as const)('a %s of %s that is %s is shown by a command that exists', (purpose, taskId, state, command) => {
  expect(ofTransfer(sampleTransfer({ authorization, purpose, taskId, state })).command).toBe(command)
})

test('a dispute is between poster and deliverer: the operator is led to the task, and not to punish the poster', () => {
  const task = sampleTask({ id: 'task_1' })
  expect(ofDispute(task).command).toBe('curl …/v1/tasks/task_1')
})
