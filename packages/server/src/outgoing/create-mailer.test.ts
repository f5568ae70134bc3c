import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@guildhall/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailSink, startMailSink } from '../../../sandbox/src/mail/start-mail-sink.ts'
import { createMailer } from './create-mailer.ts'

let directory: string
let sink: MailSink
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-mailer-'))
  sink = await startMailSink({ dataDir: directory, log: () => {} })
})
afterAll(async () => {
  await sink.stop()
  await rm(directory, { recursive: true, force: true })
})

const mail = {
  id: 'mail_1',
  to: 'ada@example.org',
  subject: 'Sign in ✓',
  text: 'http://x/y?z=1\n',
  createdAt: 0,
  expiresAt: 1,
}

test('a mail goes over SMTP to its one recipient, from the address of the settings', async () => {
  const mailer = createMailer({ smtpUrl: sink.smtpUrl, from: 'Guildhall <hall@example.org>' })
  expect(await mailer.send(mail)).toEqual({ kind: 'sent' })
  mailer.close()
  const [got] = await sink.mails()
  expect(got).toMatchObject({ from: 'hall@example.org', to: ['ada@example.org'], subject: 'Sign in ✓' })
  expect(got?.text.trim()).toBe('http://x/y?z=1')
})

test('an address or a subject cannot add headers or recipients', async () => {
  const mailer = createMailer({ smtpUrl: sink.smtpUrl, from: 'hall@example.org' })
  await mailer.send({ ...mail, subject: 'a\r\nBcc: eve@example.org', to: 'ada@example.org' })
  await mailer.send({ ...mail, to: 'ada@example.org\r\nRCPT TO:<eve@example.org>' })
  await mailer.send({ ...mail, to: 'ada@example.org, eve@example.org' })
  mailer.close()
  expect((await sink.mails()).flatMap(({ to }) => to).filter((to) => to === 'eve@example.org')).toEqual([])
})

test('a server that is not there is a failure that passes, told by its code alone', async () => {
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${await freePort()}`, from: 'hall@example.org' })
  const outcome = await mailer.send(mail)
  mailer.close()
  expect(outcome).toMatchObject({ kind: 'failed', lasting: false })
  expect(JSON.stringify(outcome)).not.toContain('ada')
})
