import { decodeWalletMessage, parseTaskActionMessage, taskActionMessage } from '@guildhall/protocol'
import { verifyMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  clientOf,
  failureOf,
  NOW,
  refusal,
  type SeenRequest,
  scriptedService,
} from '../tests/support/scripted-service.ts'

const wallet = privateKeyToAccount(`0x${'4a'.repeat(32)}`)
const accepted = { body: { ok: true, task_id: 'task_1', status: 'verified' } }
const proofOf = (request: SeenRequest | undefined) => request?.headers.authorization

test('a hired task is read and decided on with its manage token, by a client without a key or with one', async () => {
  const service = await scriptedService({ body: { ok: true, task: {} } }, accepted)
  await clientOf(service, { key: undefined }).hires.manage('task_1', 'gmt_secret').get()
  expect(await clientOf(service).hires.manage('task_1', 'gmt_secret').accept({ rating: 5 })).toMatchObject(
    accepted.body,
  )
  expect(service.seen.map(({ path }) => path)).toEqual(['/v1/x402/tasks/task_1', '/v1/x402/tasks/task_1/accept'])
  expect(service.seen.map(proofOf)).toEqual(['Bearer gmt_secret', 'Bearer gmt_secret'])
})

test('a decision whose answer was lost is sent again under one key, and answered', async () => {
  const service = await scriptedService('drop', accepted)
  const hire = clientOf(service).hires.manage('task_1', 'gmt_secret')
  expect(await hire.accept()).toMatchObject({ status: 'verified' })
  const [first, second] = service.seen.map(({ headers }) => headers['idempotency-key'])
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(second).toBe(first)
})

const askedToSign = (taskId: string) => {
  const statement = { taskId, wallet: wallet.address, network: 'eip155:137', issuedAt: NOW / 1000 + 900 }
  const sign_this = taskActionMessage('Guildhall', { ...statement, action: 'read', nonce: 'n'.repeat(24) })
  return refusal(401, 'auth_required', { reason: 'no_proof', sign_this })
}

test('the paying wallet signs a text of the client’s own for the task and the decision, by the service’s clock', async () => {
  const service = await scriptedService(askedToSign('task_2'), accepted)
  await clientOf(service, { key: undefined }).hires.manage('task_1', wallet).cancel()
  const { headers } = service.seen[1] as SeenRequest
  const message = decodeWalletMessage(headers['x-wallet-message'] ?? '') ?? ''
  expect(parseTaskActionMessage('Guildhall', message)).toMatchObject({
    taskId: 'task_1',
    action: 'cancel',
    network: 'eip155:137',
    issuedAt: NOW / 1000 + 900,
  })
  const signature = headers['x-wallet-signature'] as `0x${string}`
  expect(await verifyMessage({ address: wallet.address, message, signature })).toBe(true)
})

test('a wallet is asked for nothing where the service does not know the task', async () => {
  const service = await scriptedService(refusal(404, 'not_found', { resource: 'task' }))
  const mute = { address: wallet.address, signMessage: () => Promise.reject(new Error('asked')) }
  expect(await failureOf(clientOf(service).hires.manage('task_1', mute).accept())).toMatchObject({ code: 'not_found' })
})
