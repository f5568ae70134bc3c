import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type MailSink, startMailSink } from '@guildhall/sandbox'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
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

/** An SMTP server that agrees to everything but one command, and gives its address. */
async function refusing(command: RegExp, answer: string): Promise<string> {
  const usual = (line: string): string => {
    if (/^EHLO/i.test(line)) return '250-here\r\n250 AUTH PLAIN'
    if (/^AUTH/i.test(line)) return '235 known'
    return /^DATA/i.test(line) ? '354 go on' : '250 fine'
  }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(`${command.test('GREETING') ? answer : '220 here'}\r\n`)
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\r\n').filter((part) => part !== ''))
        socket.write(`${command.test(line) ? answer : usual(line)}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `smtp://hall:password@127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['has another password for us', /^AUTH/i, '535 authentication failed', false],
  ['does not want us as a client', /^GREETING/, '554 no service for you', false],
  ['does not let us use our sender', /^MAIL FROM/i, '550 not your address', false],
  ['does not know the recipient', /^RCPT TO/i, '550 no such user', true],
  ['does not want this mail', /^DATA/i, '554 looks like spam', true],
])('only what the server has against the mail itself is for good: one that %s', async (_, command, answer, lasting) => {
  const mailer = createMailer({ smtpUrl: await refusing(command, answer), from: 'hall@example.org' })
  onTestFinished(() => mailer.close())
  expect(await mailer.send(mail)).toEqual({ kind: 'failed', lasting, reason: `SMTP ${answer.slice(0, 3)}` })
})
