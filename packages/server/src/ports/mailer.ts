import type { Mail } from '../domain/mail/mail.ts'

export type MailOutcome =
  | { readonly kind: 'sent' }
  /** `lasting`: the address or the mail is refused for good. The reason names no secret. */
  | { readonly kind: 'failed'; readonly lasting: boolean; readonly reason: string }

/** Sends mail. One try ends within its own deadline and never throws. */
export type Mailer = {
  send(mail: Mail): Promise<MailOutcome>
}
