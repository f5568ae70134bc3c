import { SECOND } from '@guildhall/protocol'
import { createTransport } from 'nodemailer'
import type { Mailer, MailOutcome } from '../ports/mailer.ts'

const TIMEOUT_MS = 20 * SECOND

/** Sends over SMTP. The mail's id is its Message-ID, so that a mail sent twice is recognised as one. */
export function createMailer(options: { readonly smtpUrl: string; readonly from: string }): Mailer & { close(): void } {
  const host = options.from.slice(options.from.lastIndexOf('@') + 1).replace(/[^A-Za-z0-9.-]/g, '')
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ id, to, subject, text, createdAt }) {
      try {
        await transport.sendMail({
          from: options.from,
          to: { name: '', address: to },
          subject,
          text,
          date: new Date(createdAt),
          messageId: `<${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return { kind: 'sent' }
      } catch (error) {
        return failure(error)
      }
    },
    close: () => transport.close(),
  }
}

type SmtpError = { readonly code?: unknown; readonly responseCode?: unknown; readonly command?: unknown }

/** Where the server judges the mail. Before that it refuses us, as for a wrong password: the operator can mend it. */
const ABOUT_THE_MAIL: ReadonlySet<unknown> = new Set(['RCPT TO', 'DATA'])

/** The server's own message may contain the address, so only its code is passed on. */
function failure(error: unknown): MailOutcome {
  const { code, responseCode, command } = error as SmtpError
  const lasting = typeof responseCode === 'number' && responseCode >= 500 && ABOUT_THE_MAIL.has(command)
  return { kind: 'failed', lasting, reason: `SMTP ${responseCode ?? code ?? 'failed'}` }
}
