import { limits, MINUTE } from '@guildhall/protocol'
import { beforeEach, expect, test } from 'vitest'
import { storeBench } from '../../../tests/support/store.ts'
import type { Mail } from '../../domain/mail/mail.ts'
import type { MailOutcome } from '../../ports/mailer.ts'
import type { World } from '../../ports/world.ts'
import { addMail } from './add-mail.ts'
import { sendMails } from './send-mails.ts'

const bench = storeBench()
let now = Date.UTC(2026, 0, 31)
let sent: Mail[] = []
let outcome: MailOutcome = { kind: 'sent' }
let logged: unknown[] = []

const nodeOn = (store: World['store']): World =>
  ({
    clock: { now: () => now },
    random: { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) },
    log: { warn: (...line: unknown[]) => void logged.push(line) },
    failpoints: { reach: async () => {} },
    store,
    mailer: {
      send: async (mail: Mail) => {
        sent.push(mail)
        return outcome
      },
    },
  }) as unknown as World

const letter = () => ({ to: 'ada@example.org', subject: 'Hello', text: 'A secret link', expiresAt: now + 15 * MINUTE })
const add = () => bench.store.transaction((tx) => addMail(nodeOn(bench.store), tx, letter()))
const rows = async () => (await bench.sql.query('select * from mails')).rows

beforeEach(async () => {
  await bench.sql.query('delete from mails')
  sent = []
  logged = []
  outcome = { kind: 'sent' }
})

test('a mail is sent once, whichever node comes first, and then forgotten', async () => {
  await add()
  await Promise.all([nodeOn(bench.store), nodeOn(bench.other)].map(sendMails))
  expect(sent.map(({ to, text }) => [to, text])).toEqual([['ada@example.org', 'A secret link']])
  expect(await rows()).toEqual([])
})

test('a mail of a change that did not happen is not sent', async () => {
  const undone = bench.store.transaction(async (tx) => {
    await addMail(nodeOn(bench.store), tx, letter())
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  expect(await sendMails(nodeOn(bench.store))).toBe(0)
})

test('a mail that cannot be sent is tried again later, not before, and neither address nor text is logged', async () => {
  outcome = { kind: 'failed', lasting: false, reason: 'SMTP ECONNECTION' }
  const world = nodeOn(bench.store)
  await add()
  await sendMails(world)
  now += (limits.mail.retryAfterMs[0] ?? 0) - 1
  expect(await sendMails(world)).toBe(0)
  now += 1
  outcome = { kind: 'sent' }
  expect(await sendMails(world)).toBe(1)
  expect(sent).toHaveLength(2)
  expect(sent[0]?.id).toBe(sent[1]?.id)
  expect(await rows()).toEqual([])
  expect(JSON.stringify(logged)).not.toMatch(/ada@|secret/)
})

test('a mail that is refused for good, or would come too late, is given up', async () => {
  const world = nodeOn(bench.store)
  outcome = { kind: 'failed', lasting: true, reason: 'SMTP 550' }
  await add()
  await sendMails(world)
  expect(await rows()).toEqual([])
  await add()
  now += 15 * MINUTE
  await sendMails(world)
  expect([sent.length, await rows()]).toEqual([1, []])
})

test('a node that died over a mail leaves it to another after its lease', async () => {
  await add()
  const [{ id }] = await rows()
  await bench.store.transaction((tx) => tx.leaseMail(id, now, now + limits.mail.leaseMs))
  expect(await sendMails(nodeOn(bench.other))).toBe(0)
  expect(await bench.other.isMailing(now)).toBe(true)
  now += limits.mail.leaseMs
  expect(await sendMails(nodeOn(bench.other))).toBe(1)
  expect(sent).toHaveLength(1)
})

test('without a mailer nothing is looked at', async () => {
  await add()
  expect(await sendMails({ ...nodeOn(bench.store), mailer: null })).toBe(0)
})
