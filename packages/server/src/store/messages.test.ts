import { DAY } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { NOW, sampleId } from '../../tests/support/samples.ts'
import { addAgent, storeBench } from '../../tests/support/store.ts'
import type { Message } from '../domain/message/message.ts'
import type { MessageFilter } from '../ports/message-store.ts'

const bench = storeBench()
const newAgent = async () => (await bench.store.transaction((tx) => addAgent(tx))).id

async function write(from: string, to: string, changes: Partial<Message> = {}): Promise<Message> {
  const message: Message = {
    id: sampleId('msg'),
    from,
    to,
    type: 'message',
    subject: 'On "quotes" and <b>tags</b>',
    body: "'; drop table messages; --",
    status: 'pending',
    replyTo: null,
    createdAt: NOW,
    updatedAt: NOW,
    expiresAt: NOW + 7 * DAY,
    ...changes,
  }
  await bench.store.transaction((tx) => tx.insertMessage(message))
  return message
}

const list = async (agentId: string, box: MessageFilter['box'], filter: Partial<MessageFilter> = {}) =>
  (await bench.store.listMessages({ agentId, box, status: null, type: null, limit: 20, offset: 0, ...filter })).map(
    ({ id }) => id,
  )

test('a message is read back as it was written', async () => {
  const message = await write(await newAgent(), await newAgent(), { replyTo: 'msg_before' })
  expect(await bench.store.message(message.id)).toEqual(message)
  expect(await bench.store.message('msg_nothing')).toBeNull()
})

test('each box shows its own, newest first, by status, type and page', async () => {
  const [one, two] = [await newAgent(), await newAgent()]
  const a = await write(one, two)
  const b = await write(one, two, { type: 'task_request', status: 'read' })
  const c = await write(two, one)
  expect(await list(two, 'received')).toEqual([b.id, a.id])
  expect(await list(two, 'sent')).toEqual([c.id])
  expect(await list(one, 'sent', { status: 'pending' })).toEqual([a.id])
  expect(await list(one, 'sent', { type: 'task_request' })).toEqual([b.id])
  expect(await list(one, 'sent', { type: 'task_request', status: 'pending' })).toEqual([])
  expect(await list(one, 'sent', { limit: 1, offset: 1 })).toEqual([a.id])
})

test('only those in the first state are moved to the second', async () => {
  const [one, two] = [await newAgent(), await newAgent()]
  const a = await write(one, two)
  const b = await write(one, two, { status: 'replied' })
  const moved = bench.store.transaction((tx) => tx.moveMessages([a.id, b.id], 'pending', 'delivered', NOW + 5))
  expect(await moved).toBe(1)
  expect(await bench.store.message(a.id)).toMatchObject({ status: 'delivered', updatedAt: NOW + 5 })
  expect(await bench.store.message(b.id)).toMatchObject({ status: 'replied', updatedAt: NOW })
})

test('a message falls due when its time is over, not before, unless it was replied to', async () => {
  const [one, two] = [await newAgent(), await newAgent()]
  const due = await write(one, two)
  await write(one, two, { status: 'replied' })
  const at = async (now: number) => (await bench.store.dueMessages(now, 100)).filter((id) => id === due.id)
  expect(await at(due.expiresAt - 1)).toEqual([])
  expect(await at(due.expiresAt)).toEqual([due.id])
})

test('messages are forgotten three months after their time is over', async () => {
  const message = await write(await newAgent(), await newAgent(), { status: 'expired' })
  const forgetAt = (now: number) => bench.store.transaction((tx) => tx.forgetExpired(now))
  await forgetAt(message.expiresAt + 90 * DAY - 1)
  expect(await bench.store.message(message.id)).not.toBeNull()
  await forgetAt(message.expiresAt + 90 * DAY)
  expect(await bench.store.message(message.id)).toBeNull()
})
