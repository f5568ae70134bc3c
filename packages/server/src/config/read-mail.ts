import type { EnvironmentReader } from './environment-reader.ts'
import type { Settings } from './settings.ts'

const MAIL_FROM = /^[^\s<>@]+@[A-Za-z0-9.-]+$|^[^<>@\r\n]* <[^\s<>@]+@[A-Za-z0-9.-]+>$/

/** Both settings or neither: mail needs a server and a sender. */
export function mailOf(read: EnvironmentReader, problems: string[]): Settings['mail'] {
  const smtpUrl = read.text('GUILDHALL_SMTP_URL', '')
  if (smtpUrl === '') return null
  if (!URL.canParse(smtpUrl) || !/^smtps?:/.test(smtpUrl) || new URL(smtpUrl).hostname === '')
    problems.push('GUILDHALL_SMTP_URL is not an address such as smtps://user:password@mail.example.')
  const from = read.required(
    'GUILDHALL_MAIL_FROM',
    'the address that mails come from, such as Guildhall <hall@example.org>',
  )
  if (from !== '' && !MAIL_FROM.test(from))
    problems.push('GUILDHALL_MAIL_FROM is not a mail address such as Guildhall <hall@example.org>.')
  return { smtpUrl, from }
}
