import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Mail } from './mail.ts'
import { type MailStore, openMailStore } from './mail-store.ts'
import { serveMails } from './serve-mails.ts'

const SIZE_LIMIT = 10 * 1024 * 1024

/** Receives the sandbox's mail: a real SMTP server, with a page that shows the mails. */
export type MailSink = {
  readonly smtpUrl: string
  readonly pageUrl: string
  /** Newest first. */
  mails(): Promise<readonly Mail[]>
  stop(): Promise<void>
}

export async function startMailSink(options: {
  readonly dataDir: string
  readonly log: (line: string) => void
  readonly smtpPort?: number
  readonly httpPort?: number
}): Promise<MailSink> {
  const { dataDir, log, smtpPort = 0, httpPort = 0 } = options
  const store = await openMailStore(join(dataDir, 'mails'), log)
  const smtp = receiveMails(store, log)
  const http = serveMails(store)
  const stop = async () => {
    http.close()
    http.closeAllConnections()
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
  }
  smtp.listen(smtpPort, '127.0.0.1')
  http.listen(httpPort, '127.0.0.1')
  try {
    await Promise.all([once(smtp.server, 'listening'), once(http, 'listening')])
  } catch (error) {
    await stop()
    throw error
  }

  return {
    smtpUrl: `smtp://127.0.0.1:${portOf(smtp.server)}`,
    pageUrl: `http://127.0.0.1:${portOf(http)}/`,
    mails: async () => store.newestFirst(),
    stop,
  }
}

function receiveMails(store: MailStore, log: (line: string) => void): SMTPServer {
  const server = new SMTPServer({
    name: 'guildhall-sandbox',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: SIZE_LIMIT,
    closeTimeout: 1_000,
    onData(stream, session, callback) {
      receive(stream, session, store).then(
        () => callback(),
        (error: unknown) => {
          log(`A mail was not kept: ${error instanceof Error ? error.message : error}`)
          callback(error instanceof Error ? error : new Error('The mail could not be kept.'))
        },
      )
    },
  })
  server.on('error', (error) => log(`Mail sink: ${error.message}`))
  return server
}

async function receive(stream: SMTPServerDataStream, session: SMTPServerSession, store: MailStore): Promise<void> {
  const raw = await buffer(stream)
  if (stream.sizeExceeded) throw Object.assign(new Error('The mail is too large.'), { responseCode: 552 })
  const { mailFrom, rcptTo } = session.envelope
  await store.keep({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
