import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MailSink, startMailSink } from './start-mail-sink.ts'

let dataDir: string
let sink: MailSink
let logged: string[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mail-sink-'))
  logged = []
  sink = await start()
})

afterEach(async () => {
  await sink.stop()
  await rm(dataDir, { recursive: true })
})

test('a mail is shown with its recipient, subject and text', async () => {
  await sendMail(sink, 'owner@example.com', ['Subject: Sign in', '', 'Here is your link.'])
  expect(await sink.mails()).toMatchObject([
    { from: 'guildhall@example.com', to: ['owner@example.com'], subject: 'Sign in', text: 'Here is your link.\n' },
  ])
  const page = await readPage()
  expect(page).toContain('owner@example.com')
  expect(page).toContain('<h2>Sign in</h2>')
  expect(page).toContain('Here is your link.')
})

test('the newest mail comes first', async () => {
  for (const subject of ['first', 'second', 'third'])
    await sendMail(sink, 'a@example.com', [`Subject: ${subject}`, '', '-'])
  expect((await sink.mails()).map(({ subject }) => subject)).toEqual(['third', 'second', 'first'])
  const page = await readPage()
  expect(page.indexOf('third')).toBeLessThan(page.indexOf('first'))
})

test('the same mails are given as JSON', async () => {
  await sendMail(sink, 'a@example.com', ['Subject: one', '', 'text'])
  const response = await fetch(new URL('/mails.json', sink.pageUrl))
  expect(await response.json()).toEqual({ mails: await sink.mails() })
})

test('of a mail in several parts the plain text is shown, with its subject and text in UTF-8', async () => {
  await sendMail(sink, 'a@example.com', [
    'Subject: =?utf-8?B?R3LDvMOfZSDigJQg44GT44KT44Gr44Gh44Gv?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="cut"',
    '',
    '--cut',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Gr=C3=BC=C3=9Fe: =',
    'https://example.com/?token=3Da&x=3D1',
    '--cut',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>the other part</p>',
    '--cut--',
  ])
  expect(await sink.mails()).toMatchObject([
    { subject: 'Grüße — こんにちは', text: 'Grüße: https://example.com/?token=a&x=1\n' },
  ])
  expect(await readPage()).not.toContain('the other part')
})

test('a subject, text or address in HTML is shown as text', async () => {
  const attack = `"><script>alert('1')</script><img src=x onerror=alert(2)>`
  await sendMail(sink, "o'brien&lt;@example.com", [
    `Subject: ${attack}`,
    `Date: ${attack}`,
    '',
    attack,
    'javascript:alert(3)',
  ])
  const page = await readPage()
  expect(page).not.toMatch(/<script|<img|href="javascript/)
  expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;')
  expect(page).toContain('o&#39;brien&amp;lt;@example.com')
})

test('web addresses in the text are links, without the end of the sentence', async () => {
  await sendMail(sink, 'a@example.com', [
    'Subject: links',
    '',
    'Go to https://example.com/in?t=a&u=b. Not ftp://example.com/',
  ])
  const page = await readPage()
  expect(page).toContain(
    'Go to <a href="https://example.com/in?t=a&amp;u=b" rel="noreferrer">https://example.com/in?t=a&amp;u=b</a>. Not ftp',
  )
  expect(page.match(/<a /g)).toHaveLength(1)
})

test('the page may not run or load anything and is not stored', async () => {
  const { headers } = await fetch(sink.pageUrl)
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')
})

test('mails survive a restart and are numbered on', async () => {
  await sendMail(sink, 'a@example.com', ['Subject: before', '', 'text'])
  const before = await sink.mails()
  await sink.stop()
  sink = await start()
  expect(await sink.mails()).toEqual(before)
  await sendMail(sink, 'a@example.com', ['Subject: after', '', 'text'])
  expect((await sink.mails()).map(({ subject }) => subject)).toEqual(['after', 'before'])
})

test('an acknowledged mail is already on disk, and a half-sent one is not kept', async () => {
  await sendMail(sink, 'a@example.com', ['Subject: whole', '', 'text'])
  expect(await readdir(join(dataDir, 'mails'))).toEqual(['1.json'])
  const conversation = await openConversation(sink)
  await conversation.startData('a@example.com')
  conversation.socket.end('Subject: half\r\n\r\nunfinis')
  await conversation.closed
  await sendMail(sink, 'a@example.com', ['Subject: next', '', 'text'])
  expect((await sink.mails()).map(({ subject }) => subject)).toEqual(['next', 'whole'])
  expect(await readdir(join(dataDir, 'mails'))).toHaveLength(2)
})

test('a spoilt file is reported and does not hide the other mails', async () => {
  await sendMail(sink, 'a@example.com', ['Subject: good', '', 'text'])
  await sink.stop()
  await writeFile(join(dataDir, 'mails', '2.json'), '{"from"')
  await writeFile(join(dataDir, 'mails', '3.json.unfinished'), '{"from"')
  sink = await start()
  expect((await sink.mails()).map(({ subject }) => subject)).toEqual(['good'])
  expect(logged.join('\n')).toContain('2.json')
})

test('a mail of several recipients names them all', async () => {
  const conversation = await openConversation(sink)
  await conversation.say('MAIL FROM:<guildhall@example.com>', 250)
  await conversation.say('RCPT TO:<a@example.com>', 250)
  await conversation.say('RCPT TO:<b@example.com>', 250)
  await conversation.say('DATA', 354)
  await conversation.say('Subject: both\r\nTo: somebody@example.com\r\n\r\ntext\r\n.', 250)
  await conversation.say('QUIT', 221)
  expect((await sink.mails())[0]?.to).toEqual(['a@example.com', 'b@example.com'])
})

test('many mails at once are all kept', async () => {
  const subjects = Array.from({ length: 20 }, (_, index) => `mail ${index}`)
  await Promise.all(subjects.map((subject) => sendMail(sink, 'a@example.com', [`Subject: ${subject}`, '', 'text'])))
  expect((await sink.mails()).map(({ subject }) => subject).sort()).toEqual(subjects.sort())
})

test('the mail page fits a small screen', async () => {
  expect(await readPage()).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
})

function start(): Promise<MailSink> {
  return startMailSink({ dataDir, log: (line) => logged.push(line) })
}

async function readPage(): Promise<string> {
  const response = await fetch(sink.pageUrl)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  return response.text()
}

async function sendMail(to: MailSink, recipient: string, lines: readonly string[]): Promise<void> {
  const conversation = await openConversation(to)
  await conversation.startData(recipient)
  await conversation.say(`${lines.join('\r\n')}\r\n.`, 250)
  await conversation.say('QUIT', 221)
}

async function openConversation(to: MailSink) {
  const socket: Socket = connect(Number(new URL(to.smtpUrl).port), '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]()
  const say = async (line: string | null, expected: number) => {
    if (line !== null) socket.write(`${line}\r\n`)
    let reply: string
    do reply = (await replies.next()).value ?? 'closed'
    while (/^\d{3}-/.test(reply))
    expect(reply).toMatch(new RegExp(`^${expected}`))
  }
  await say(null, 220)
  await say('EHLO client.example.com', 250)
  const startData = async (recipient: string) => {
    await say('MAIL FROM:<guildhall@example.com>', 250)
    await say(`RCPT TO:<${recipient}>`, 250)
    await say('DATA', 354)
  }
  return { socket, closed, say, startData }
}
